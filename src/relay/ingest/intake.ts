// The way in for events, the same for clients, imports and synchronisation: cheap checks first, then the signature, then whoever else is asked.
import { AUTH_KIND, eventText, type NostrEvent, weightOf } from '../../nostr/event/index.js'
import type { Clock, Decision, EventStore, WritePolicy, WriteRequest } from '../ports.js'
import type { RelaySettings } from '../settings.js'
import { refusalForEnd, refusalForProtected, refusalForTime } from './early-checks.js'
import { eventOf, idOf } from './event-form.js'
import type { Origin, Taken } from './pending-event.js'
import type { Lanes } from './verify-queue.js'
import type { Outcome, Turn } from './write-batch.js'

export interface IntakeParts {
  readonly settings: RelaySettings
  readonly store: Pick<EventStore, 'knows'>
  readonly policy: WritePolicy
  readonly lanes: Pick<Lanes, 'push'>
  readonly turn: Pick<Turn, 'add'>
  readonly clock: Pick<Clock, 'now'>
  /** Called when nothing is held any more. */
  readonly idle: () => void
}

/** What an OK says. */
export interface Answer {
  readonly id: string
  readonly accepted: boolean
  readonly text: string
  /** Absent for what is no event. */
  readonly kind?: number
}

export interface Intake {
  /** What can be said at once, or undefined when the event was taken in: then its origin is told later. */
  offer(value: unknown, origin: Origin): Answer | undefined
  /** After its signature was found genuine, or not. */
  verified(taken: Taken, genuine: boolean): void
  /** After it was written, or not. */
  settled(taken: Taken, outcome: Outcome): void
  /** Tells the origin its last word on the event. */
  settle(taken: Taken, accepted: boolean, text: string): void
  /** Events taken in whose origin was told nothing yet. */
  held(): number
}

const KNOWN = 'duplicate: have this event'

/** What the client reads (specification: relay, 4). */
const OUTCOMES: Readonly<Record<Outcome, { readonly accepted: boolean; readonly text: string }>> = {
  stored: { accepted: true, text: '' },
  'passed on': { accepted: true, text: '' },
  duplicate: { accepted: true, text: KNOWN },
  replaced: { accepted: false, text: 'replaced: have newer event' },
  deleted: { accepted: false, text: 'deleted: user requested deletion' },
  expired: { accepted: false, text: 'invalid: event expired' },
  foreign: { accepted: false, text: 'blocked: only the author of an event can delete it' },
  'too much': { accepted: false, text: 'blocked: it names too many large events at once' },
  failed: { accepted: false, text: 'error: could not store the event' },
}

export function createIntake({ settings, store, policy, lanes, turn, clock, idle }: IntakeParts): Intake {
  const { limits, auth } = settings
  /** Where an OK waits for the disk, so does that for a duplicate. */
  const mayTellKnown = settings.durability === 'commit'
  let held = 0

  function early(event: NostrEvent, request: WriteRequest): string | undefined {
    const { source, receivedAt, authed } = request
    if (event.kind === AUTH_KIND) return 'blocked: an AUTH event is for nobody else'
    if (source.type !== 'IP4' && source.type !== 'IP6') return refusalForEnd(event, receivedAt)
    return (
      refusalForTime(event, receivedAt, limits) ?? refusalForProtected(event, { keys: authed, canProve: auth.enabled })
    )
  }

  const nowInSeconds = () => Math.floor(clock.now() / 1000)

  function requestFor(event: NostrEvent, origin: Origin, receivedAt: number): WriteRequest {
    return { event, source: origin.source, authed: origin.keys, receivedAt }
  }

  function hold(taken: Taken): void {
    const { lane } = taken.origin
    held++
    lane.held++
    lane.heldBytes += weightOf(taken.text)
    lanes.push(taken)
  }

  function settle(taken: Taken, accepted: boolean, text: string): void {
    const { lane } = taken.origin
    held--
    lane.held--
    lane.heldBytes -= weightOf(taken.text)
    taken.origin.answered(taken, accepted, text)
    if (held === 0) idle()
  }

  function decided(taken: Taken, decision: Decision): void {
    if (decision.action === 'reject') settle(taken, false, decision.message)
    else if (decision.action === 'shadowReject') settle(taken, true, '')
    else turn.add(taken)
  }

  return {
    offer(value, origin) {
      const event = eventOf(value, limits)
      if (typeof event === 'string') return { id: idOf(value), accepted: false, text: event }
      const { id, kind } = event
      const request = requestFor(event, origin, nowInSeconds())
      const refused = (text: string) => ({ id, accepted: false, text, kind })
      const first = early(event, request)
      if (first !== undefined) return refused(first)
      const text = eventText(event)
      if (!text) return refused('invalid: id is not that of the content')
      if (text.bytes.length > limits.maxEventBytes) return refused('invalid: event too large')
      const blocked = policy.refusalFor(request)
      if (blocked !== undefined) return refused(blocked)
      if (mayTellKnown && store.knows(id)) return { id, accepted: true, text: KNOWN, kind }
      hold({ origin, text, purpose: 'publish', receivedAt: request.receivedAt })
      return undefined
    },
    verified(taken, genuine) {
      if (!genuine) return settle(taken, false, 'invalid: bad signature')
      if (!policy.ask) return turn.add(taken)
      const { origin, text, receivedAt } = taken
      void policy.ask(requestFor(text.event, origin, receivedAt)).then((decision) => decided(taken, decision))
    },
    settled(taken, outcome) {
      const { accepted, text } = OUTCOMES[outcome]
      settle(taken, accepted, text)
    },
    settle,
    held: () => held,
  }
}
