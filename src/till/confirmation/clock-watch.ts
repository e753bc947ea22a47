// What the till does about a clock that jumped, or is wrong at the start: it raises an alarm, and nothing ends by time until the chain or a second reading agrees.
import type { ClockJump, SteadyClock } from '../../lib/steady-clock.js'
import type { Alarms } from '../alarms.js'
import type { TillSettings } from '../api.js'
import type { TillParts } from '../parts.js'
import type { Tips } from './tips.js'

const MINUTE = 60_000
/** A block's time and a right clock differ by less. */
const AGREES_MS = 30 * MINUTE
/** Where no chain speaks for the time before, a clock that stands by its jump for so long is believed. */
const SECOND_READING_MS = 10 * MINUTE
const SUBJECT = 'clock'

type Jump = Pick<ClockJump, 'wall' | 'byMs' | 'forMs'>

/** No block of a public chain may be so far ahead of a right clock: then the clock is behind. */
const MOST_AHEAD_MS = 120 * MINUTE

/**
 * Whether the jump is believed. `tipTime`: of the newest block, where a node names one; all times in epoch milliseconds. A clock that is
 * hours behind the chain never is, however long it stands there.
 */
export function isBelieved(
  { wall, byMs, forMs }: Jump,
  tipTime: number | undefined,
  mostAheadMs = MOST_AHEAD_MS,
): boolean {
  const agrees = (time: number) => tipTime !== undefined && Math.abs(time - tipTime) <= AGREES_MS
  if (agrees(wall)) return true
  const isRefuted = agrees(wall - byMs) || (tipTime !== undefined && tipTime - wall > mostAheadMs)
  return !isRefuted && forMs >= SECOND_READING_MS
}

/** `look` belongs before every pass that works by the clock. */
export function createClockWatch({
  clock,
  log,
  tips,
  alarms,
  chain: nodes,
  settings: { chain },
}: Pick<TillParts, 'log' | 'chain'> & {
  readonly settings: Pick<TillSettings, 'chain'>
  readonly clock: SteadyClock
  readonly tips: Tips
  readonly alarms: Alarms
}) {
  /** Blocks of a private chain come on demand, with times of their own. */
  const isPublic = chain === 'mainnet' || chain === 'testnet'
  const mostAheadMs = isPublic ? MOST_AHEAD_MS : Number.POSITIVE_INFINITY
  const startedAt = clock.monotonic()
  const isDoubtful = () => isPublic && clock.isDoubtful()

  const tipTime = (): Promise<number | undefined> =>
    tips.read().then(
      () => tips.tipTime(),
      () => undefined,
    )

  async function heed(jump: ClockJump): Promise<void> {
    const text = textOf(jump)
    if (alarms.raise(SUBJECT, text)) log.error({ byMs: jump.byMs }, text)
    if (!isBelieved(jump, await tipTime(), mostAheadMs)) return
    clock.acceptJump()
    alarms.clear(SUBJECT)
    log.warn({ byMs: jump.byMs }, 'the jump of the clock is taken over')
  }

  /** Time goes on by the wall clock: one that is behind ends nothing too early. */
  function heedTip(behindMs: number): void {
    const text = `it is about ${Math.floor(behindMs / (60 * MINUTE))} hours behind the newest block of the chain: set it right`
    if (alarms.raise(SUBJECT, text)) log.error({ behindMs }, text)
  }

  /**
   * A clock that is ahead at the start looks like a long stop, but nodes can tell: a usable node's newest block is at most an hour
   * old. While all blocks are older than that, the clock is ahead or every node stands still. Without a node a second reading counts.
   */
  async function heedStart(): Promise<void> {
    const isUsable = await tips.read().then(
      () => true,
      () => false,
    )
    const newest = nodes.newestBlockTime()
    const hasStood = newest === undefined && clock.monotonic() - startedAt >= SECOND_READING_MS
    if (isUsable || hasStood) return clock.confirm()
    if (newest === undefined) return
    const minutes = Math.round((clock.now() - newest) / MINUTE)
    const text = `it is ${minutes} minutes ahead of the newest block that any node shows: no invoice expires until a node shows a newer one`
    if (alarms.raise(SUBJECT, text)) log.error({ aheadMinutes: minutes }, text)
  }

  return {
    /** While the clock of the start is doubtful, no invoice expires. */
    mayExpire: () => !isDoubtful(),
    async look(): Promise<void> {
      const jump = clock.pendingJump()
      if (jump) return heed(jump)
      if (isDoubtful()) await heedStart()
      if (isDoubtful()) return
      // As last heard: no pass waits for a node because of this.
      const behindMs = (tips.tipTime() ?? 0) - clock.now()
      if (behindMs > mostAheadMs) return heedTip(behindMs)
      if (alarms.clear(SUBJECT)) log.info({}, 'the clock is back where it was')
    },
  }
}

const UNTIL = 'until the chain or a second reading agrees, nothing ends by time'

function textOf({ byMs, fromStart }: ClockJump): string {
  const minutes = Math.round(Math.abs(byMs) / MINUTE)
  return fromStart
    ? `it was ${minutes} minutes behind the newest time in the database when the till started; ${UNTIL}`
    : `it jumped ${minutes} minutes ${byMs > 0 ? 'ahead' : 'back'}; ${UNTIL}`
}
