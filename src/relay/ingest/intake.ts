// The path of every event from clients, imports and synchronisation: cheap checks first, then the signature, then authority and plugin.

import { isLowerHex } from '../../lib/bytes.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import type { Clock } from '../../lib/ports.js'
import { AUTH_KIND, classOf, eventText, type NostrEvent, weightOf } from '../../nostr/event/index.js'
import type { Decision, EventStore, WritePolicy, WriteRequest } from '../ports.js'
import type { RelayLimits, RelaySettings } from '../settings.js'
import type { EventOrigin, PendingEvent, VerifyQueue } from './verify-queue.js'
import type { WriteBatch, WriteOutcome } from './write-batch.js'

interface EventIntakeParts {
  readonly settings: RelaySettings
  readonly store: Pick<EventStore, 'knows'>
  readonly policy: WritePolicy
  readonly verifyQueue: Pick<VerifyQueue, 'push'>
  readonly writeBatch: Pick<WriteBatch, 'add'>
  readonly clock: Pick<Clock, 'now'>
  /** False: the disk is full. */
  readonly hasRoom: () => boolean
  /** Called when no accepted event is unanswered. */
  readonly idle: () => void
}

/** What an OK says. */
export interface EventAnswer {
  readonly id: string
  readonly accepted: boolean
  readonly text: string
  /** Absent when the value is not an event. */
  readonly kind?: number
}

export interface EventIntake {
  /** Returns an immediate answer, or undefined when the event was accepted for verification; its origin is answered later. */
  offer(value: unknown, origin: EventOrigin): EventAnswer | undefined
  /** Called with the result of the signature check. */
  verified(pending: PendingEvent, genuine: boolean): void
  /** Called with the result of the write. */
  written(pending: PendingEvent, outcome: WriteOutcome): void
  /** Sends the final answer to the origin. */
  settle(pending: PendingEvent, accepted: boolean, text: string): void
  /** Accepted events without an answer. */
  held(): number
}

/** Of NIP-09: they are small, and free room. */
const DELETION_KIND = 5
/** While the disk is full. What is there, and what is never stored, is answered and delivered as always. */
const NO_ROOM = 'error: the disk of this relay is full, only deletions are stored'

const KNOWN = 'duplicate: have this event'

/** The texts of OK (specification: relay, 4). */
const OUTCOMES: Readonly<Record<WriteOutcome, { readonly accepted: boolean; readonly text: string }>> = {
  stored: { accepted: true, text: '' },
  ephemeral: { accepted: true, text: '' },
  duplicate: { accepted: true, text: KNOWN },
  replaced: { accepted: false, text: 'replaced: have newer event' },
  deleted: { accepted: false, text: 'deleted: user requested deletion' },
  expired: { accepted: false, text: 'invalid: event expired' },
  foreign: { accepted: false, text: 'blocked: only the author of an event can delete it' },
  'too much': { accepted: false, text: 'blocked: it names too many large events at once' },
  failed: { accepted: false, text: 'error: could not store the event' },
}

const needsRoom = (kind: number): boolean => kind !== DELETION_KIND && classOf(kind) !== 'ephemeral'

export function createEventIntake({
  settings,
  store,
  policy,
  verifyQueue,
  writeBatch,
  clock,
  hasRoom,
  idle,
}: EventIntakeParts): EventIntake {
  const { limits, auth } = settings
  /** With `fsync`, the OK of a duplicate waits for the disk too. */
  const mayTellKnown = settings.durability === 'commit'
  let held = 0

  function earlyRefusal(event: NostrEvent, request: WriteRequest): string | undefined {
    const { source, receivedAt, authed } = request
    if (event.kind === AUTH_KIND) return 'blocked: an AUTH event is for nobody else'
    if (source.type !== 'IP4' && source.type !== 'IP6') return refusalForEnd(event, receivedAt)
    return (
      refusalForTime(event, receivedAt, limits) ?? refusalForProtected(event, { keys: authed, canProve: auth.enabled })
    )
  }

  const isWithoutRoom = (kind: number): boolean => needsRoom(kind) && !hasRoom()

  const nowInSeconds = () => Math.floor(clock.now() / 1000)

  function requestFor(event: NostrEvent, origin: EventOrigin, receivedAt: number): WriteRequest {
    return { event, source: origin.source, authed: origin.keys, receivedAt }
  }

  function accept(pending: PendingEvent): void {
    const { backlog } = pending.origin
    held++
    backlog.held++
    backlog.heldBytes += weightOf(pending.text)
    verifyQueue.push(pending)
  }

  function settle(pending: PendingEvent, accepted: boolean, text: string): void {
    const { backlog } = pending.origin
    held--
    backlog.held--
    backlog.heldBytes -= weightOf(pending.text)
    pending.origin.answered(pending, accepted, text)
    if (held === 0) idle()
  }

  function applyDecision(pending: PendingEvent, decision: Decision): void {
    if (decision.action === 'reject') settle(pending, false, decision.message)
    else if (decision.action === 'shadowReject') settle(pending, true, '')
    else writeBatch.add(pending)
  }

  return {
    offer(value, origin) {
      const event = eventOf(value, limits)
      if (typeof event === 'string') return { id: idOf(value), accepted: false, text: event }
      const { id, kind } = event
      const request = requestFor(event, origin, nowInSeconds())
      const refused = (text: string) => ({ id, accepted: false, text, kind })
      const first = earlyRefusal(event, request)
      if (first !== undefined) return refused(first)
      const text = eventText(event)
      if (!text) return refused('invalid: id is not that of the content')
      if (text.bytes.length > limits.maxEventBytes) return refused('invalid: event too large')
      const blocked = policy.refusalFor(request)
      if (blocked !== undefined) return refused(blocked)
      if (mayTellKnown && store.knows(id)) return { id, accepted: true, text: KNOWN, kind }
      if (isWithoutRoom(kind)) return refused(NO_ROOM)
      accept({ origin, text, purpose: 'publish', receivedAt: request.receivedAt })
      return undefined
    },
    verified(pending, genuine) {
      if (!genuine) return settle(pending, false, 'invalid: bad signature')
      if (!policy.ask) return writeBatch.add(pending)
      const { origin, text, receivedAt } = pending
      void policy.ask(requestFor(text.event, origin, receivedAt)).then((decision) => applyDecision(pending, decision))
    },
    written(pending, outcome) {
      const { accepted, text } = OUTCOMES[outcome]
      settle(pending, accepted, text)
    },
    settle,
    held: () => held,
  }
}

// Validates untrusted events: exact types first, then size limits. The first violation is the answer.

declare global {
  interface String {
    /** True when the text has no lone surrogate (ES2024). A text with one has no UTF-8 form, so no id either. */
    isWellFormed(): boolean
  }
}

type FormLimits = Pick<RelayLimits, 'maxTags' | 'maxTagValueBytes' | 'maxContentLength'>
type Members = Readonly<Record<keyof NostrEvent, unknown>>

const MAX_KIND = 65_535
/** The latest time that the indexes can represent, in the year 2106. */
const MAX_TIME = 2 ** 32 - 1
const KEY_DIGITS = 64
const SIGNATURE_DIGITS = 128
/** UTF-8 takes at most three bytes per UTF-16 unit. */
const MOST_BYTES = 3

/** The id in parsed JSON, for an answer to a value that may not be an event. */
export function idOf(value: unknown): string {
  const id = isObject(value) ? value.id : undefined
  return typeof id === 'string' && id.length <= 64 ? id : '?'
}

/** Returns a copy of a valid event (NIP-01) within the limits, or the text of the first violation. Does not check id and signature. */
export function eventOf(value: unknown, limits: FormLimits): NostrEvent | string {
  if (!isObject(value)) return 'invalid: an event is an object'
  const { id, pubkey, created_at, kind, tags, content, sig } = value
  if (!isLowerHex(id, KEY_DIGITS)) return 'invalid: id is not 64 lower-case hex characters'
  if (!isLowerHex(pubkey, KEY_DIGITS)) return 'invalid: pubkey is not 64 lower-case hex characters'
  if (!isInteger(created_at, MAX_TIME)) return 'invalid: created_at is not a number of seconds'
  if (!isInteger(kind, MAX_KIND)) return 'invalid: kind is not an integer from 0 to 65535'
  if (typeof content !== 'string' || !content.isWellFormed()) return 'invalid: content is not a text'
  if (!Array.isArray(tags)) return 'invalid: tags are not a list'
  if (!isLowerHex(sig, SIGNATURE_DIGITS)) return 'invalid: sig is not 128 lower-case hex characters'
  if (isLonger(content, limits.maxContentLength)) return 'invalid: content too large'
  const problem = problemOfTags(tags, limits)
  return problem ?? { id, pubkey, created_at, kind, tags, content, sig }
}

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isInteger = (value: unknown, max: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= max

/** Counts Unicode characters, as NIP-11 requires. */
const isLonger = (text: string, max: number): boolean => text.length > max && Array.from(text).length > max

/** Empty tags are accepted: NIP-01 has no name for them, but clients send them, and they match no filter. */
function problemOfTags(tags: readonly unknown[], limits: FormLimits): string | undefined {
  if (tags.length > limits.maxTags) return 'invalid: too many tags'
  for (const tag of tags) {
    if (!Array.isArray(tag)) return 'invalid: a tag is a list of texts'
    for (const member of tag)
      if (typeof member !== 'string' || !member.isWellFormed()) return 'invalid: a tag is a list of texts'
    if (tag.length > 1 && tag[0].length === 1 && hasMoreBytes(tag[1], limits.maxTagValueBytes))
      return 'invalid: tag value too large'
  }
  return undefined
}

const hasMoreBytes = (text: string, max: number): boolean =>
  text.length * MOST_BYTES > max && Buffer.byteLength(text) > max

// Checks before the signature: the time of an event (specification: relay, 5), and protected events (NIP-70).

type TimeLimits = Pick<RelayLimits, 'rejectFutureSeconds' | 'rejectPastSeconds'>

/** Ephemeral events only concern current subscriptions. */
const EPHEMERAL_SECONDS = 60
const SECONDS = /^\d{1,15}$/

/** The refusal of an event from a client, by its time; `now` in epoch seconds. */
function refusalForTime(event: NostrEvent, now: number, limits: TimeLimits): string | undefined {
  const { created_at } = event
  if (created_at > now + limits.rejectFutureSeconds) return 'invalid: created_at too late'
  if (limits.rejectPastSeconds !== undefined && created_at < now - limits.rejectPastSeconds)
    return 'invalid: created_at too early'
  if (created_at < now - EPHEMERAL_SECONDS && classOf(event.kind) === 'ephemeral')
    return 'invalid: ephemeral event expired'
  return refusalForEnd(event, now)
}

/** The refusal of an expired event (NIP-40). Applies to imports too. */
const refusalForEnd = (event: NostrEvent, now: number): string | undefined =>
  endOf(event) <= now ? 'invalid: event expired' : undefined

/** Epoch seconds of the `expiration` tag; infinite without a valid one. */
function endOf({ tags }: NostrEvent): number {
  for (const [name, value] of tags)
    if (name === 'expiration')
      return value !== undefined && SECONDS.test(value) ? Number(value) : Number.POSITIVE_INFINITY
  return Number.POSITIVE_INFINITY
}

/** Reposts: kinds whose content is another event. */
const REPOSTS: ReadonlySet<number> = new Set([6, 16])

interface Publisher {
  /** Proven keys; 64 hex. */
  readonly keys: readonly string[]
  /** True when clients can authenticate on this relay. */
  readonly canProve: boolean
}

function refusalForProtected(event: NostrEvent, { keys, canProve }: Publisher): string | undefined {
  if (REPOSTS.has(event.kind) && embedsProtected(event.content))
    return 'blocked: reposts of protected events are not accepted'
  if (!isProtected(event.tags) || keys.includes(event.pubkey)) return undefined
  if (!canProve) return 'blocked: event marked as protected'
  return keys.length === 0
    ? 'auth-required: this event may only be published by its author'
    : 'restricted: this event may only be published by its author'
}

function isProtected(tags: readonly (readonly string[])[]): boolean {
  for (const tag of tags) if (tag[0] === '-') return true
  return false
}

/** A content that is not an event embeds nothing. */
function embedsProtected(content: string): boolean {
  if (!content.includes('"-"') && !content.includes('\\u002d') && !content.includes('\\u002D')) return false
  const { tags } = membersOf(parseJson(content))
  return Array.isArray(tags) && tags.some((tag: unknown) => Array.isArray(tag) && tag[0] === '-')
}
