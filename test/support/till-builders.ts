// Invoices, payments, events and users as tests want them: valid, different from each other, overridable.
import { type NanoGrin, nanoGrin } from '../../src/grin/amount/index.js'
import type {
  ConfirmedRow,
  Invoice,
  InvoiceSlate,
  IssuedSlate,
  Payment,
  QueuedEvent,
  TillSettings,
  User,
  WorkClaim,
} from '../../src/till/index.js'

/** The fixed moment of the till's tests: 2026-07-01T12:00:00Z. */
export const NOON = Date.UTC(2026, 6, 1, 12)
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** A process that asks for work, and another one. */
export const WORKER = '11111111-1111-4111-8111-111111111111'
export const OTHER_WORKER = '22222222-2222-4222-8222-222222222222'
/** Asks for work for a minute. */
export const claim = (now: number, limit = 10, by = WORKER): WorkClaim => ({ now, leaseMs: MINUTE, by, limit })
/** Sees what is due and leaves it there, whoever has it. */
export const look = (now: number, limit = 10): WorkClaim => ({ now, leaseMs: 0, by: WORKER, limit })

export const grin = (whole: number): NanoGrin => nanoGrin(BigInt(Math.round(whole * 1e9)))

let made = 0
/** Lower-case hex that no other call returned. */
export const freshHex = (characters: number): string => {
  made += 1
  return made.toString(16).padStart(characters, '0').slice(-characters)
}

const freshBytes = (length: number): Uint8Array => new Uint8Array(Buffer.from(freshHex(length * 2), 'hex'))

/** The defaults of a till that matches by derived keys and prices in US dollars. */
export const tillSettings = (
  over: Partial<TillSettings> & Pick<TillSettings, 'publicUrl' | 'chain'>,
): TillSettings => ({
  matchMode: 'derived',
  confirmations: 10,
  currencies: ['usd'],
  quoteTtl: 900,
  settleTimeout: 86_400,
  unmatched: 'accept',
  amountJitter: false,
  uriScheme: 'nostr',
  relays: ['wss://relay.example'],
  webhooks: [{ receiver: 1, url: 'https://shop.example/hook', compat: true }],
  rotateInterval: 0,
  ...over,
})

export function anInvoice(over: Partial<Invoice> = {}): Invoice {
  return {
    id: freshHex(32),
    token: Buffer.from(freshHex(64), 'hex').toString('base64url'),
    status: 'open',
    amount: grin(2),
    fiat: null,
    matchMode: 'derived',
    orderRef: null,
    memo: null,
    matchKey: null,
    recipientPubkey: freshHex(64),
    expiresAt: null,
    windowEndsAt: null,
    requotes: 0,
    payLink: 'goblin:nprofile1abc?amount=2',
    qrSvg: '<svg/>',
    createdAt: NOON,
    paidAt: null,
    confirmedAt: null,
    paymentId: null,
    confirmations: 0,
    offeredRail: null,
    slateId: null,
    slatepack: null,
    returnUrl: null,
    grinRate: null,
    tip: null,
    ...over,
  }
}

export function aSlateId(): string {
  const hex = freshHex(32)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

export function aPayment(over: Partial<Payment> = {}): Payment {
  return {
    id: aSlateId(),
    invoiceId: null,
    userId: null,
    amount: grin(2),
    feeFields: 12_500_000n,
    rail: 'slatepack',
    payer: null,
    recipientPubkey: null,
    settlement: 'received',
    s1Digest: freshBytes(32),
    s2: freshBytes(100),
    reply: 'BEGINSLATEPACK. reply. ENDSLATEPACK.',
    keyIndex: Number.parseInt(freshHex(8), 16),
    commitment: freshBytes(33),
    excess: freshBytes(33),
    proof: null,
    receivedHeight: 1_000_000,
    minedHeight: null,
    confirmations: 0,
    createdAt: NOON,
    minedAt: null,
    confirmedAt: null,
    nextCheckAt: NOON,
    output: null,
    intendedInvoiceId: null,
    ...over,
  }
}

export function anEvent(over: Partial<QueuedEvent> = {}): QueuedEvent {
  const eventId = over.eventId ?? freshHex(32)
  return {
    eventId,
    type: 'payment.received',
    invoiceId: null,
    paymentId: null,
    body: JSON.stringify({ event_id: eventId }),
    createdAt: NOON,
    receivers: [1],
    ...over,
  }
}

/** An open native invoice slate. */
export function anInvoiceSlate(over: Partial<InvoiceSlate> = {}): InvoiceSlate {
  return {
    slateId: aSlateId(),
    invoiceId: freshHex(32),
    state: 'open',
    amount: grin(2),
    keyIndex: Number.parseInt(freshHex(8), 16),
    commitment: freshBytes(33),
    rangeProof: freshBytes(675),
    sealedSecrets: freshBytes(96),
    createdAt: NOON,
    ...over,
  }
}

/** An invoice armed on the grin1 rail with its slate, as `insertInvoice` takes them. */
export function aRailInvoice(over: Partial<Invoice> = {}): { readonly invoice: Invoice } & IssuedSlate {
  const slateId = aSlateId()
  const armor = `BEGINSLATEPACK. ${slateId}. ENDSLATEPACK.`
  const invoice = anInvoice({ offeredRail: 'grin1', slateId, slatepack: armor, ...over })
  return { invoice, armor, slate: anInvoiceSlate({ slateId, invoiceId: invoice.id, amount: invoice.amount }) }
}

export const aConfirmedRow = (over: Partial<ConfirmedRow> = {}): ConfirmedRow => ({
  confirmedAt: NOON,
  amount: grin(1),
  rail: 'nostr',
  kind: 'sale',
  fiat: null,
  grinRate: null,
  tip: null,
  ...over,
})

export function aUser(over: Partial<User> = {}): User {
  return {
    id: freshHex(32),
    rotateInterval: null,
    epoch: 0,
    pubkey: freshHex(64),
    rotatedAt: NOON,
    createdAt: NOON,
    ...over,
  }
}
