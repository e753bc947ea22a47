// What a relay may say so often a minute and no more: notices, challenges, pings.
import type { RelayClock } from './ports.js'

/** Counts one more when called; true when it is over the bound of its minute, which begins with the first one after the last. */
export function createPerMinute(most: number, clock: Pick<RelayClock, 'monotonic'>): () => boolean {
  let [count, since] = [0, clock.monotonic()]
  return () => {
    if (clock.monotonic() - since > 60_000) [count, since] = [0, clock.monotonic()]
    return ++count > most
  }
}
