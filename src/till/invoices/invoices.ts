// Invoices from creation to their end, payments aside (specification: invoicing, 2.3, 3.1 to 3.5).
import { toHex } from '../../lib/bytes.js'
import { deriveChild, invoiceContext } from '../../nostr/keys/index.js'
import type { CreateInvoice, Till } from '../api.js'
import {
  idempotencyMismatch,
  ingestOff,
  invoiceNotFound,
  invoiceNotOpen,
  requoteRefused,
  tillDiskFull,
  walletStopped,
} from '../errors.js'
import { createInvoiceSlates, withSlate } from '../invoice-slates/issuing.js'
import type { Lock } from '../locks.js'
import type { Invoice, MatchMode } from '../model.js'
import type { TillParts } from '../parts.js'
import { GRACE_MS } from '../payments/matching.js'
import type { IdempotencyKey, InsertInvoiceAnswer } from '../ports.js'
import type { Rails } from '../rails.js'
import { invoiceAmount, type Price, type Quote, quoteOf } from './pricing.js'
import { endsOf, type InvoiceTerms, matchKeyOf, priceEndsAt, termsOf } from './terms.js'
import { next } from './transitions.js'

const MAX_REQUOTES = 10
const MAX_JITTER = 9999
/** Overdue invoices that are expired at once, and how often in one sweep; the rest waits for the next. */
const SWEEP = 1000
const MAX_ROUNDS = 50

export interface InvoicesParts extends TillParts {
  /** 64 hex of the till's own key. */
  readonly mainPubkey: string
  readonly rails: Rails
  readonly lock: Lock
  readonly announce: (invoiceId: string) => void
  /** False while the clock cannot be trusted: nothing ends by it. */
  readonly mayExpire: () => boolean
}

type Created = Awaited<ReturnType<Till['createInvoice']>>

/** Creating, reading, cancelling and pricing anew; `sweep` expires what is overdue and closes its slates. Throws the invoice part of the catalogue. */
export function createInvoices(parts: InvoicesParts) {
  const { store, settings, clock, random, log, rates, rails, lock, mayExpire } = parts
  const slates = createInvoiceSlates(parts)

  function transition(id: string, to: Invoice['status'], why: object = {}): void {
    log.info({ invoice: id, to, ...why }, `invoice ${to}`)
    parts.announce(id)
  }

  /** The jitter of amount mode: 1 … 9999 nanogrin more, so that no other payable invoice asks for the same. */
  async function uniqueAmount(amount: Invoice['amount']): Promise<Invoice['amount']> {
    const start = new DataView(random.bytes(4).buffer).getUint32(0)
    for (let step = 0; step < MAX_JITTER; step += 1) {
      const offset = 1 + ((start + step) % MAX_JITTER)
      const wanted = invoiceAmount(amount + BigInt(offset))
      const [taken] = await store.payableByAmount(wanted, clock.now() - GRACE_MS, 1)
      if (!taken) return wanted
    }
    return amount
  }

  const isJittered = (matchMode: MatchMode) => matchMode === 'amount' && settings.amountJitter

  async function quoted(price: Price, matchMode: MatchMode): Promise<Quote> {
    const quote = await quoteOf(price, rates, settings.currencies[0])
    return isJittered(matchMode) ? { ...quote, amount: await uniqueAmount(quote.amount) } : quote
  }

  /** A new id and the key that is paid: the till's own, or one of the invoice that the relays are asked for already. */
  async function recipientOf(matchMode: MatchMode): Promise<Pick<Invoice, 'id' | 'recipientPubkey'>> {
    const id = toHex(random.bytes(16))
    if (matchMode !== 'derived') return { id, recipientPubkey: parts.mainPubkey }
    const reserved = await parts.oneTimeKeys?.take()
    if (reserved) return { id: reserved.invoiceId, recipientPubkey: reserved.pubkey }
    return { id, recipientPubkey: deriveChild(parts.identity, invoiceContext(id)).pubkey }
  }

  async function build(terms: InvoiceTerms): Promise<Invoice> {
    const { amount, fiat, grinRate } = await quoted(terms.price, terms.matchMode)
    const { id, recipientPubkey } = await recipientOf(terms.matchMode)
    const now = clock.now()
    const base = {
      id,
      token: Buffer.from(random.bytes(32)).toString('base64url'),
      amount,
      fiat,
      matchMode: terms.matchMode,
      orderRef: terms.orderRef,
      memo: terms.memo,
      matchKey: matchKeyOf(terms, id),
      recipientPubkey,
      ...endsOf(terms, settings.quoteTtl, now),
    }
    return {
      ...base,
      ...rails.linksOf(base, settings, parts.wallet.address),
      status: 'open',
      requotes: 0,
      createdAt: now,
      paidAt: null,
      confirmedAt: null,
      paymentId: null,
      confirmations: 0,
      offeredRail: rails.offeredUnder(settings),
      slateId: null,
      slatepack: null,
      returnUrl: terms.returnUrl,
      grinRate,
      tip: terms.tip,
    }
  }

  async function insert(terms: InvoiceTerms, key?: IdempotencyKey): Promise<Created> {
    const built = await build(terms)
    const issued = await slates.issue(built)
    const invoice = withSlate(built, issued)
    const answer = await store.insertInvoice(invoice, invoice.createdAt, key, issued?.slate)
    if (answer.outcome === 'created') log.info({ invoice: invoice.id, to: 'open' }, 'invoice open')
    return repeatedOf(answer) ?? { invoice, replayed: false }
  }

  async function create(request: CreateInvoice, key?: IdempotencyKey): Promise<Created> {
    if (settings.ingest === false) throw ingestOff()
    if (parts.wallet.fault() !== undefined) throw walletStopped()
    const terms = termsOf(request, settings)
    const earlier = key && repeatedOf(await store.idempotent(key, clock.now()))
    if (earlier) return { ...earlier, invoice: (await current(earlier.invoice)) ?? earlier.invoice }
    if (parts.hasRoom?.() === false) throw tillDiskFull()
    // Two at once could pick the same jitter.
    if (isJittered(terms.matchMode)) return lock('jitter', () => insert(terms, key))
    return insert(terms, key)
  }

  /** The invoice as it is now: an overdue open one is expired first. */
  async function current(invoice: Invoice | undefined): Promise<Invoice | undefined> {
    if (!invoice || !isOverdue(invoice, clock.now()) || !mayExpire()) return invoice
    if (await store.expireInvoice(invoice.id, clock.now())) transition(invoice.id, 'expired')
    return store.invoiceById(invoice.id)
  }

  /** An invoice that is looked at while it lacks its slate gets one first. */
  async function shown(invoice: Invoice | undefined): Promise<Invoice | undefined> {
    const found = await current(invoice)
    if (found) slates.lookAt(found)
    return found
  }

  async function cancel(id: string): Promise<Invoice> {
    const invoice = await current(await store.invoiceById(id))
    if (!invoice) throw invoiceNotFound()
    if (!next(invoice.status, 'cancelled')) throw invoiceNotOpen(invoice.status)
    const outcome = await store.cancelInvoice(id)
    const after = await store.invoiceById(id)
    if (outcome === 'unknown' || !after) throw invoiceNotFound()
    if (outcome === 'not-open') throw invoiceNotOpen(after.status)
    transition(id, 'cancelled')
    return after
  }

  async function requote(token: string): Promise<Invoice> {
    const invoice = await current(await store.invoiceByToken(token))
    if (!invoice) throw invoiceNotFound()
    const refusal = requoteRefusal(invoice, clock.now())
    if (refusal !== undefined || !invoice.fiat) throw requoteRefused(refusal ?? 'its amount is exact')
    const { amount: fiatText, currency, sentAs = currency } = invoice.fiat
    const price = { fiatAmount: fiatText.trim(), fiatText, currency: sentAs }
    const quote = await quoted(price, invoice.matchMode)
    const expiresAt = priceEndsAt(invoice.windowEndsAt, settings.quoteTtl, clock.now())
    const links = rails.linksOf({ ...invoice, ...quote }, settings, parts.wallet.address)
    const issued = await slates.issue({ ...invoice, ...quote })
    const outcome = await store.requote(invoice.id, invoice.requotes, { ...quote, ...links, expiresAt }, issued)
    if (outcome === 'refused') throw requoteRefused('it changed meanwhile')
    // After a long expiry the relays are no longer asked for its key.
    if (invoice.matchMode === 'derived') await parts.watchInvoice?.(invoice)
    transition(invoice.id, 'open', { requotes: invoice.requotes + 1 })
    return (await store.invoiceById(invoice.id)) ?? invoice
  }

  return {
    create,
    current,
    cancel,
    requote,
    find: async (id: string) => shown(await store.invoiceById(id)),
    findByToken: async (token: string) => shown(await store.invoiceByToken(token)),
    issueSlates: slates.issueMissing,
    canRequote: (invoice: Invoice) => requoteRefusal(invoice, clock.now()) === undefined,
    async sweep(): Promise<void> {
      if (!mayExpire()) return
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const ids = await store.expireDue(clock.now(), SWEEP)
        for (const id of ids) transition(id, 'expired')
        if (ids.length < SWEEP) break
      }
      await slates.closeEnded()
    },
  }
}

function repeatedOf(answer: InsertInvoiceAnswer): Created | undefined {
  if (answer.outcome === 'other-body') throw idempotencyMismatch()
  return answer.outcome === 'replayed' ? { invoice: answer.invoice, replayed: true } : undefined
}

const isOverdue = ({ status, expiresAt }: Invoice, now: number): boolean =>
  next(status, 'time-over') !== undefined && expiresAt !== null && expiresAt <= now

type RequoteRule = { readonly refusal: string; readonly breaks: (invoice: Invoice, now: number) => boolean }

/** Checked in this order; the first broken rule is the reason the payer sees. */
const REQUOTE_RULES: readonly RequoteRule[] = [
  { refusal: 'its amount is exact', breaks: ({ fiat }) => fiat === null },
  { refusal: 'a payment for it was received', breaks: ({ paymentId }) => paymentId !== null },
  { refusal: 'it was cancelled', breaks: ({ status }) => status === 'cancelled' },
  { refusal: 'its price is still valid', breaks: (invoice, now) => !isExpired(invoice, now) },
  {
    refusal: "the shop's time for it is over",
    breaks: ({ windowEndsAt }, now) => windowEndsAt !== null && windowEndsAt <= now,
  },
  { refusal: 'it was priced too often', breaks: ({ requotes }) => requotes >= MAX_REQUOTES },
]

const isExpired = (invoice: Invoice, now: number): boolean => isOverdue(invoice, now) || invoice.status === 'expired'

const requoteRefusal = (invoice: Invoice, now: number): string | undefined =>
  REQUOTE_RULES.find(({ breaks }) => breaks(invoice, now))?.refusal
