// Filters EVENT messages of relays: passes on each gift wrap to a watched key once, and drops everything else.
import type { Clock } from '../../lib/ports.js'
import { GIFT_WRAP_KIND, hasTrueId, type NostrEvent, parseEvent } from '../event/index.js'
import type { Fault } from './strikes.js'

/** A copy from another relay within this time is a duplicate. */
const WINDOW_MS = 120_000
const REMEMBERED_MOST = 20_000

/** The wrap, also for a duplicate; or `no-room`: offer it again. */
export type WrapOutcome = { readonly wrap: NostrEvent; readonly to: string } | 'no-room' | 'dropped' | Fault

export interface WrapIntakeParts {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly isWatched: (pubkey: string) => boolean
  readonly isRetired: (pubkey: string) => boolean
  readonly onWrap: (wrap: NostrEvent, relay: string) => boolean
}

export interface WrapIntake {
  deliver(value: unknown, relay: string): WrapOutcome
  /** Passes on gift wraps to these keys again, if they arrive again. */
  forget(pubkeys: ReadonlySet<string>): void
}

export function createWrapIntake({ clock, isWatched, isRetired, onWrap }: WrapIntakeParts): WrapIntake {
  /** Id and signature of each passed wrap. A copy with another signature is another event. */
  const passed = new Map<string, { readonly to: string; readonly at: number }>()

  function remember(copy: string, to: string): void {
    passed.delete(copy)
    passed.set(copy, { to, at: clock.monotonic() })
    for (const [oldest] of passed) {
      if (passed.size <= REMEMBERED_MOST) return
      passed.delete(oldest)
    }
  }

  function wasPassed(copy: string): boolean {
    const at = passed.get(copy)?.at
    return at !== undefined && clock.monotonic() - at < WINDOW_MS
  }

  return {
    deliver(value, relay) {
      const wrap = parseEvent(value)
      // Malformed content is the author's fault, not the relay's.
      if (!wrap) return 'dropped'
      const addressees = addresseesOf(wrap)
      const fault = faultOf(wrap, addressees, isWatched, isRetired)
      if (fault) return fault
      const [to] = addressees
      if (to === undefined || addressees.length > 1 || !isWatched(to)) return 'dropped'
      const copy = wrap.id + wrap.sig
      if (wasPassed(copy)) return { wrap, to }
      if (!onWrap(wrap, relay)) return 'no-room'
      remember(copy, to)
      return { wrap, to }
    },
    forget(pubkeys) {
      for (const [copy, { to }] of passed) if (pubkeys.has(to)) passed.delete(copy)
    },
  }
}

const addresseesOf = (wrap: NostrEvent): string[] =>
  wrap.tags.flatMap(([name, value]) => (name === 'p' ? [value ?? ''] : []))

function faultOf(
  wrap: NostrEvent,
  addressees: readonly string[],
  isWatched: WrapIntakeParts['isWatched'],
  isRetired: WrapIntakeParts['isRetired'],
): Fault | undefined {
  const wasAskedFor = wrap.kind === GIFT_WRAP_KIND && addressees.some((key) => isWatched(key) || isRetired(key))
  if (!wasAskedFor) return 'unasked'
  return hasTrueId(wrap) ? undefined : 'false-id'
}
