// Reads a gift wrap to its end: every step may be the last one (specification: invoicing, 4.6). Nothing is sent from here.
import { equalBytes } from '../../lib/bytes.js'
import type { Clock } from '../../lib/ports.js'
import { createSlidingWindow } from '../../lib/rate-limiter.js'
import type { Secret } from '../../lib/secret.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import type { OpenedWrap, Rumor } from '../../nostr/gift-wrap/index.js'
import type { PasteReply } from '../api.js'
import type { MessageLayout, Payment } from '../model.js'
import type { IncomingSlate, MessageQueue, Wallet } from '../parts.js'
import type { RailOffer } from '../payments/acceptance.js'
import type { PaymentStore, SeenStore, WatchStore } from '../ports.js'
import type { IncomingWrap } from './inbox.js'
import { type PayerMessage, readMessage } from './messages.js'
import { decisionOf, type IngestDecision } from './outcomes.js'

const HOUR = 3_600_000
/** Messages of one sender an hour that may cost the wallet work. */
const PER_SENDER = 10
/** Times an hour that one S1 is answered again. */
const REPEATS = 10

export interface JudgeParts {
  readonly store: Pick<SeenStore, 'seenOf'> & Pick<PaymentStore, 'paymentById'> & Pick<WatchStore, 'invoiceByRecipient'>
  readonly messages: Pick<MessageQueue, 'requeue'>
  readonly till: {
    accept(offer: RailOffer): Promise<PasteReply>
    voidPayment(paymentId: string, author: string): Promise<boolean>
  }
  readonly wallet: Pick<Wallet, 'open'>
  readonly mainPubkey: string
  /** The secret of a receiving key, if it is or was one of ours. */
  readonly findSecret: (pubkey: string) => Promise<Secret<Uint8Array> | undefined>
  readonly openWrap: (wrap: NostrEvent, receiver: Secret<Uint8Array>) => Promise<OpenedWrap>
  /** A payer is about to be answered: time to learn where it reads. */
  readonly expectReply?: (payer: string) => void
  readonly clock: Pick<Clock, 'monotonic'>
}

/** A rumor, the key of ours it came to, and when (epoch milliseconds). */
export interface ReceivedRumor {
  readonly rumor: Rumor
  readonly receiver: string
  readonly arrivedAt: number
  /** An earlier try has counted it against its sender already. */
  readonly counted: boolean
}

type SlateMessage = Extract<PayerMessage, { kind: 'slatepack' }>

const IGNORED: IngestDecision = { outcome: 'ignored' }

export function createJudge(parts: JudgeParts) {
  const { store, till, wallet, clock } = parts
  const senders = createSlidingWindow({ limit: PER_SENDER, windowMs: HOUR }, clock)
  const repeats = createSlidingWindow({ limit: REPEATS, windowMs: HOUR }, clock)
  const earlyVoids = createEarlyVoids()

  const isSeen = async (id: string): Promise<boolean> => (await store.seenOf([id])).has(id)

  /** The rumor, or why there is none to read. */
  async function unwrap({ wrap, receiver }: Pick<IncomingWrap, 'wrap' | 'receiver'>): Promise<Rumor | IngestDecision> {
    if (await isSeen(wrap.id)) return { outcome: 'seen' }
    const secret = await parts.findSecret(receiver)
    if (!secret) return IGNORED
    const opened = await parts.openWrap(wrap, secret)
    if ('rumor' in opened) return opened.rumor
    return opened.refusal === 'forged' ? { outcome: 'forged' } : IGNORED
  }

  async function read(delivered: ReceivedRumor): Promise<IngestDecision> {
    const { rumor, receiver } = delivered
    if (rumor.pubkey === parts.mainPubkey || rumor.pubkey === receiver) return IGNORED
    const message = readMessage(rumor)
    if (message.kind === 'other') return IGNORED
    if (message.kind === 'slatepack') return readSlate(delivered, message)
    if (await isSeen(rumor.id)) return { outcome: 'duplicate' }
    if (message.kind === 'refused') return decisionOf(message.error, { payer: rumor.pubkey, receiver })
    return takeBack(message.slateId, rumor.pubkey)
  }

  /** Stored mail comes in no order: who took a payment back whose S1 is still to come must not be charged by it. */
  async function takeBack(slateId: string, author: string): Promise<IngestDecision> {
    if (!(await store.paymentById(slateId))) {
      earlyVoids.add(slateId, author)
      return { outcome: 'early' }
    }
    return (await till.voidPayment(slateId, author)) ? { outcome: 'voided' } : IGNORED
  }

  /** A known S1 of its own payer is always answered, in whatever wrap it comes; everything else must be new. */
  async function readSlate(delivered: ReceivedRumor, message: SlateMessage): Promise<IngestDecision> {
    const { rumor, receiver } = delivered
    const about = { payer: rumor.pubkey, receiver }
    const mayCost = () => delivered.counted || senders.take(rumor.pubkey)
    let slate: IncomingSlate
    try {
      slate = await wallet.open(message.armor, { sealed: true })
    } catch (cause) {
      if (await isSeen(rumor.id)) return { outcome: 'duplicate' }
      return mayCost() ? decisionOf(cause, about) : { outcome: 'limited' }
    }
    const payment = await store.paymentById(slate.id)
    if (payment && isRepeat(payment, slate, rumor.pubkey)) return answerAgain(payment, message.layout)
    if (await isSeen(rumor.id)) return { outcome: 'duplicate' }
    if (!mayCost()) return { outcome: 'limited' }
    return offer(slate, delivered, message)
  }

  async function answerAgain({ id }: Payment, layout: MessageLayout): Promise<IngestDecision> {
    if (!repeats.take(id)) return { outcome: 'duplicate' }
    await parts.messages.requeue(id, { kind: 'reply', layout })
    return { outcome: 'received' }
  }

  async function offer(slate: IncomingSlate, delivered: ReceivedRumor, message: SlateMessage): Promise<IngestDecision> {
    const { receiver, arrivedAt } = delivered
    const payer = delivered.rumor.pubkey
    if (earlyVoids.has(slate.id, payer)) return { outcome: 'voided' }
    parts.expectReply?.(payer)
    const { layout, subject } = message
    try {
      const common = { slate, rail: 'nostr', recipientPubkey: receiver, payer, layout, arrivedAt } as const
      // A repeat here is the same S1 in two wraps at once: the message of the first is due already.
      await till.accept(subject === null ? common : { ...common, subject })
      // Taken back while it was being accepted.
      if (earlyVoids.has(slate.id, payer)) await till.voidPayment(slate.id, payer)
      return { outcome: 'received' }
    } catch (cause) {
      const invoice = await store.invoiceByRecipient(receiver)
      const wanted = invoice && { wanted: invoice.amount }
      return decisionOf(cause, { payer, receiver, slate: { id: slate.id, amount: slate.amount }, ...wanted })
    }
  }

  return { unwrap, read }
}

/** The very same S1, by who sent it first: the reply goes where it went then. */
const isRepeat = ({ payer, s1Digest }: Payment, { digest }: IncomingSlate, sender: string): boolean =>
  payer === sender && equalBytes(s1Digest, digest)

/** Early voids in memory; the oldest is dropped first. */
const MOST = 5000

/**
 * Voids that came before their payment (specification: invoicing, 4.7). In memory only: a void message is not marked as seen, so the
 * relays deliver it again after a restart.
 */
interface EarlyVoids {
  add(slateId: string, author: string): void
  /** Whether this author took this payment back. */
  has(slateId: string, author: string): boolean
}

function createEarlyVoids(most = MOST): EarlyVoids {
  const voids = new Set<string>()
  const keyOf = (slateId: string, author: string) => `${slateId} ${author}`
  return {
    add(slateId, author) {
      voids.add(keyOf(slateId, author))
      const [oldest] = voids.size > most ? voids : []
      if (oldest !== undefined) voids.delete(oldest)
    },
    has: (slateId, author) => voids.has(keyOf(slateId, author)),
  }
}
