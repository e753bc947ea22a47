// What the till does about a clock that jumped: it says so, and nothing ends by time until the chain or a second reading agrees.
import type { ClockJump, SteadyClock } from '../lib/steady-clock.js'
import type { Alarms } from './alarms.js'
import type { TillParts } from './parts.js'
import type { Tips } from './tips.js'

const MINUTE = 60_000
/** A block's time and a right clock differ by less. */
const AGREES_MS = 30 * MINUTE
/** Where no chain speaks for the time before, a clock that stands by its jump for so long is believed. */
const SECOND_READING_MS = 10 * MINUTE
const SUBJECT = 'clock'

/** Whether the jump is believed. `tipTime`: of the newest block, where a node names one; all times in epoch milliseconds. */
export function isBelieved({ wall, byMs, forMs }: ClockJump, tipTime: number | undefined): boolean {
  const agrees = (time: number) => tipTime !== undefined && Math.abs(time - tipTime) <= AGREES_MS
  if (agrees(wall)) return true
  return !agrees(wall - byMs) && forMs >= SECOND_READING_MS
}

/** `look` belongs before every pass that ends something by time. */
export function createClockWatch({
  clock,
  log,
  tips,
  alarms,
}: Pick<TillParts, 'log'> & {
  readonly clock: SteadyClock
  readonly tips: Tips
  readonly alarms: Alarms
}) {
  const tipTime = (): Promise<number | undefined> =>
    tips.read().then(
      () => tips.tipTime(),
      () => undefined,
    )

  async function heed(jump: ClockJump): Promise<void> {
    const text = textOf(jump)
    if (alarms.raise(SUBJECT, text)) log.error({ byMs: jump.byMs }, text)
    if (!isBelieved(jump, await tipTime())) return
    clock.acceptJump()
    alarms.clear(SUBJECT)
    log.warn({ byMs: jump.byMs }, 'the jump of the clock is taken over')
  }

  return {
    async look(): Promise<void> {
      const jump = clock.pendingJump()
      if (jump) return heed(jump)
      if (alarms.clear(SUBJECT)) log.info({}, 'the clock is back where it was')
    },
  }
}

const textOf = ({ byMs }: ClockJump): string =>
  `it jumped ${Math.round(Math.abs(byMs) / MINUTE)} minutes ${byMs > 0 ? 'ahead' : 'back'}; until the chain or a second reading agrees, nothing ends by time`
