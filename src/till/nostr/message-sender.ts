// Sends the messages that are due: replies first of all. Safe to call again and again: the state is in the store, and a wrap is
// kept there before it leaves, so that a sudden stop repeats a message at worst and never loses one.
import { backoff } from '../../lib/backoff.js'
import { LEASE_MS, LONGEST_WAIT_MS } from '../../lib/due-times.js'
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import { envelopeVersionFor, wrapMessage } from '../../nostr/gift-wrap/index.js'
import { createDispatcher } from '../dispatcher.js'
import type { MessageDraft, OutgoingMessage, Payment } from '../model.js'
import type { MessageQueue } from '../parts.js'
import type { MessageStore } from '../ports.js'
import { type Addresses, type EnvelopeContent, envelopeContentOf } from './outgoing.js'
import type { Relays } from './ports.js'
import { type Posted, post } from './posting.js'
import { type RelayLists, targetsOf } from './relay-lists.js'

const PARALLEL = 16
/** How long a stop waits for relays. */
const CLOSE_MS = 3000

export interface MessageSenderParts extends Addresses {
  readonly store: MessageStore
  readonly workerId: string
  readonly relays: Pick<Relays, 'publish'>
  readonly relayLists: Pick<RelayLists, 'find'>
  /** The till's own set. */
  readonly urls: readonly string[]
  /** The secret of a key that is or was the till's. */
  readonly findSecret: (pubkey: string) => Promise<Secret<Uint8Array> | undefined>
  readonly clock: Clock
  readonly random: RandomBytes
  readonly log: Log
}

/** A message that is being sent; `current` until it is requeued. */
interface Try {
  current: boolean
  /** What still runs after the first OK. */
  tail?: Promise<void>
}

interface Outcome {
  readonly acceptedBy: readonly string[]
  readonly error: string | null
  readonly over: boolean
}

export interface MessageSender extends MessageQueue {
  /** Sends what is due; resolves when nothing is left that could be sent now. */
  drain(): Promise<void>
  /** Starts nothing more and waits a moment for what runs. */
  close(): Promise<void>
}

export function createMessageSender(parts: MessageSenderParts): MessageSender {
  const { store, workerId: by, relays, clock, log } = parts
  const tries = new Map<string, Try>()
  const tails = new Set<Promise<void>>()
  let closing = false

  /** The wrap in force, built when there is none; undefined when the message is finished meanwhile. */
  async function wrapOf(
    due: DueMessage,
    message: EnvelopeContent,
    list: NostrEvent | undefined,
  ): Promise<NostrEvent | undefined> {
    if (due.wrap !== null) return readWrap(due.wrap)
    const sender = await parts.findSecret(message.from)
    if (!sender) throw new RangeError('the key it must be sent from is not ours')
    const version = due.layout === 'json' ? 2 : envelopeVersionFor(list)
    const now = clock.now()
    const { wrap } = wrapMessage({ ...message, sender, receiver: message.to, version, now, random: parts.random })
    const kept = await store.keepWrap(due.paymentId, due.kind, JSON.stringify(wrap))
    return kept === undefined ? undefined : readWrap(kept)
  }

  /**
   * Resolves at the first OK; what is still under way then is the tail. A message that some relay has is all tail: relays that payers
   * name may hang on purpose, and a handful of such messages, tried again and again, must not take the room of a new reply.
   */
  async function send(due: DueMessage, mine: Try): Promise<void> {
    if (isMoot(due)) return end(due, mine, null)
    const message = envelopeContentOf(due, due.payment, parts)
    if (!message) return end(due, mine, 'it has no recipient')
    const list = await parts.relayLists.find(message.to)
    const wrap = await wrapOf(due, message, list)
    if (!wrap) return
    const posted = post(relays, wrap, missingOf(due, targetsOf(list, parts.urls)))
    if (due.acceptedBy.length === 0) await posted.first
    if (posted.isOver()) return conclude(due, mine, posted)
    await recordFirst(due, mine, posted)
    mine.tail = posted.all.then(() => conclude(due, mine, posted))
  }

  async function end({ paymentId, kind, acceptedBy }: DueMessage, mine: Try, error: string | null): Promise<void> {
    if (error !== null) log.warn({ payment: paymentId, letter: kind, error }, 'letter cannot be sent')
    if (mine.current) await store.recordPosting(paymentId, kind, { acceptedBy, error, nextAttemptAt: null, by })
  }

  /** The first OK is on record at once; should the till stop now, the other relays get the message after as long as a lease lasts. */
  async function recordFirst(due: DueMessage, mine: Try, posted: Posted): Promise<void> {
    if (!mine.current) return
    const acceptedBy = [...due.acceptedBy, ...posted.acceptedBy()]
    const nextAttemptAt = clock.now() + LEASE_MS
    await store.recordPosting(due.paymentId, due.kind, { acceptedBy, error: null, nextAttemptAt, partial: true, by })
  }

  async function conclude(due: DueMessage, mine: Try, posted: Posted): Promise<void> {
    if (!mine.current) return
    const acceptedBy = [...due.acceptedBy, ...posted.acceptedBy()]
    const error = posted.error()
    const done = error === null || isEnough(due, acceptedBy)
    const delay = done ? undefined : messageRetryDelay(due.attempts + 1)
    const nextAttemptAt = delay === undefined ? null : clock.now() + delay * 1000
    await store.recordPosting(due.paymentId, due.kind, { acceptedBy, error, nextAttemptAt, by })
    tell(due, posted, { acceptedBy, error, over: nextAttemptAt === null })
  }

  function tell(due: DueMessage, posted: Posted, now: Outcome): void {
    const fields = { payment: due.paymentId, letter: due.kind, relays: now.acceptedBy.length, error: now.error }
    // The payer can have it already: what the relays that lag say is kept with the message.
    if (due.acceptedBy.length > 0) return
    if (posted.acceptedBy().length > 0) log.info(fields, 'letter sent')
    else if (now.over) log.warn(fields, 'letter given up: no relay took it for a day')
    else if (due.attempts === 0) log.warn(fields, 'letter not taken by any relay, will be tried again')
  }

  async function run(due: DueMessage): Promise<void> {
    const mine: Try = { current: true }
    tries.set(keyOf(due), mine)
    const forget = () => {
      if (mine.current) tries.delete(keyOf(due))
    }
    try {
      await sendOrEnd(due, mine)
    } finally {
      if (mine.tail) follow(mine.tail.finally(forget), due)
      else forget()
    }
  }

  /** An envelope that cannot be made today cannot be made tomorrow. */
  const sendOrEnd = (due: DueMessage, mine: Try): Promise<void> =>
    send(due, mine).catch((cause: unknown) => {
      if (cause instanceof RangeError) return end(due, mine, cause.message)
      throw cause
    })

  /** The relays that take their time hold up no other message. */
  function follow(tail: Promise<void>, { paymentId, kind }: DueMessage): void {
    const guarded = tail
      .catch((cause: unknown) =>
        log.warn({ payment: paymentId, letter: kind, cause: messageOf(cause) }, 'relays not recorded'),
      )
      .finally(() => tails.delete(guarded))
    tails.add(guarded)
  }

  const dispatch = createDispatcher<DueMessage>({
    width: PARALLEL,
    due: async (limit) => {
      if (closing) return []
      // Taken before the question: an answer may still name what ended while it was on its way.
      const busy = new Set(tries.keys())
      const claimed = await store.claimMessages({ now: clock.now(), leaseMs: LEASE_MS, by, limit })
      return claimed.filter((message) => !busy.has(keyOf(message)))
    },
    run,
  })

  function kick(): void {
    dispatch().catch((cause: unknown) => log.error({ cause: messageOf(cause) }, 'letters not sent'))
  }

  /** What runs of this message goes on, but no longer says anything; no new try starts before the message is queued. */
  async function requeue(paymentId: string, draft: MessageDraft) {
    const key = keyOf({ paymentId, kind: draft.kind })
    const running = tries.get(key)
    if (running) running.current = false
    const mark: Try = { current: false }
    tries.set(key, mark)
    try {
      return await store.requeueMessage(paymentId, draft, clock.now(), by)
    } finally {
      if (tries.get(key) === mark) tries.delete(key)
      kick()
    }
  }

  async function close(): Promise<void> {
    closing = true
    const over = new AbortController()
    const rest = Promise.all([dispatch().catch(() => undefined), ...tails])
    await Promise.race([rest, clock.sleep(CLOSE_MS, over.signal)])
    over.abort()
  }

  return { drain: dispatch, kick, requeue, close }
}

const keyOf = ({ paymentId, kind }: Pick<OutgoingMessage, 'paymentId' | 'kind'>): string => `${paymentId} ${kind}`

function readWrap(text: string): NostrEvent {
  const wrap = parseEvent(JSON.parse(text))
  if (!wrap) throw new RangeError('the wrap that was kept is no event')
  return wrap
}

// What is decided about a message before and after a try, and when the next try is due (specification: invoicing, 4.7). Pure.

type DueMessage = OutgoingMessage & { readonly payment: Payment }

/** The relays among these that have not taken it yet. */
const missingOf = ({ acceptedBy }: OutgoingMessage, targets: readonly string[]): readonly string[] =>
  targets.filter((url) => !acceptedBy.includes(url))

/** A payer whose kernel is there has the reply: the relays that lag need it no longer. */
const isEnough = ({ kind, payment }: DueMessage, acceptedBy: readonly string[]): boolean =>
  kind === 'reply' && acceptedBy.length > 0 && ['seen', 'mined', 'confirmed'].includes(payment.settlement)

/** The message is no longer needed. A message that was just queued is sent once, whatever the state of the payment. */
const isMoot = (due: DueMessage): boolean =>
  isEnough(due, due.acceptedBy) || (due.kind === 'reply' && due.payment.settlement === 'abandoned' && due.attempts > 0)

const BASE_SECONDS = 15
const CAP_SECONDS = LONGEST_WAIT_MS.message / 1000
/** A payer's wallet gives up after a day; so does the message. */
const SPAN_SECONDS = 86_400

/** Seconds to wait after the first try, the second and so on: 15, 30, 60 … 900, as many as fit into 24 hours. */
export const MESSAGE_DELAYS: readonly number[] = delaysWithin(SPAN_SECONDS)

/** Seconds to wait after this many tries (1, 2, …); undefined when the message's time is over. */
export const messageRetryDelay = (tries: number): number | undefined => MESSAGE_DELAYS[tries - 1]

function delaysWithin(span: number): number[] {
  const delays: number[] = []
  for (let total = 0; ; ) {
    const delay = backoff(delays.length + 1, BASE_SECONDS, CAP_SECONDS)
    total += delay
    if (total > span) return delays
    delays.push(delay)
  }
}
