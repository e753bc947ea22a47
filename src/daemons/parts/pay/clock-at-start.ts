// Whether the clock can be right when a till starts: time does not go back behind what the database has seen.
import type { SteadyClock } from '../../../lib/steady-clock.js'
import type { RunningTillStore } from '../../../storage/index.js'

/** Machines that took turns with one database may differ by less. */
const TOLERANCE_MS = 120_000
/** A till that was down for longer cannot tell a clock that is ahead from the time that went by. */
const LONG_STOP_MS = 30 * 60_000

/**
 * A clock that is behind the newest time in the database counts as one that jumped back: time goes on from there until the chain or a second
 * reading speaks for the clock (`src/till/confirmation/clock-watch.ts`, which raises the alarm). One that is far ahead of it is doubtful until then.
 */
export async function heedClockAtStart(store: Pick<RunningTillStore, 'newestTime'>, clock: SteadyClock): Promise<void> {
  const newest = await store.newestTime()
  if (clock.now() < newest - TOLERANCE_MS) clock.goOnFrom(newest)
  else if (newest > 0 && clock.now() > newest + LONG_STOP_MS) clock.doubt()
}
