// The path of every event from clients, imports and synchronisation: cheap checks first, then the signature, then authority and plugin.
import type { Clock } from '../../lib/ports.js'
import { AUTH_KIND, classOf, eventText, type NostrEvent, weightOf } from '../../nostr/event/index.js'
import type { Decision, EventStore, WritePolicy, WriteRequest } from '../ports.js'
import type { RelaySettings } from '../settings.js'
import { refusalForEnd, refusalForProtected, refusalForTime } from './early-checks.js'
import { eventOf, idOf } from './event-form.js'
import type { EventOrigin, PendingEvent } from './pending-event.js'
import type { VerifyQueue } from './verify-queue.js'
import type { WriteBatch, WriteOutcome } from './write-batch.js'

export interface EventIntakeParts {
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
