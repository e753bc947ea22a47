// The chain's height as the till last heard it. A missing node is normal: it must not stop payments that need no height.
import { messageOf } from '../../lib/errors.js'
import type { Clock } from '../../lib/ports.js'
import { slateExpired, slateTimeUnknown } from '../errors.js'
import type { IncomingSlate } from '../parts.js'
import type { Chain } from '../ports.js'

export interface TipState {
  readonly ok: boolean
  readonly height: number | null
  readonly detail: string
}

/** A node that just failed is not asked again this soon, so that its timeouts do not pile up. */
const QUIET_MS = 3000

/** What the till knows of the chain's height; concurrent callers share one request. */
export function createTips(chain: Pick<Chain, 'tip'>, clock: Pick<Clock, 'monotonic'>) {
  let state: TipState = { ok: false, height: null, detail: 'not asked yet' }
  let tipTime: number | undefined
  let endedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<number> | undefined

  async function ask(): Promise<number> {
    try {
      const { height, time } = await chain.tip()
      tipTime = time ?? tipTime
      state = { ok: true, height, detail: `at block ${height}` }
      return height
    } catch (cause) {
      state = { ...state, ok: false, detail: messageOf(cause) }
      throw cause
    } finally {
      endedAt = clock.monotonic()
      asking = undefined
    }
  }

  /** Asks the nodes; concurrent callers share one request. Throws what the nodes throw. */
  function read(): Promise<number> {
    asking ??= ask()
    return asking
  }

  return {
    read,
    /** The height if it was heard within `maxAgeMs`, else asked again; undefined when no node answers. */
    async recent(maxAgeMs: number): Promise<number | undefined> {
      const age = clock.monotonic() - endedAt
      if (state.ok && state.height !== null && age <= maxAgeMs) return state.height
      if (!state.ok && age <= QUIET_MS) return undefined
      return read().catch(() => undefined)
    },
    /** The last height ever heard, 0 when none was. */
    lastKnown: (): number => state.height ?? 0,
    state: (): TipState => state,
    /** Of the newest block that was heard of, epoch milliseconds. */
    tipTime: (): number | undefined => tipTime,
  }
}

export type Tips = ReturnType<typeof createTips>

/** A height this old still decides. */
const TIP_AGE_MS = 60_000

/** Throws SLATE_EXPIRED, and SLATE_TIME_UNKNOWN when a limit is set and no node tells the height. */
export async function checkSlateTime({ ttl }: Pick<IncomingSlate, 'ttl'>, tips: Tips): Promise<void> {
  if (ttl === 0n) return
  const height = await tips.recent(TIP_AGE_MS)
  if (height === undefined) throw slateTimeUnknown()
  if (ttl <= BigInt(height)) throw slateExpired(ttl, height)
}
