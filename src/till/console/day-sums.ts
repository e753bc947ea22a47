// Sums of payments by day for the console, in bounded steps. What is over is summed once; of today only what came since is read again.
import { setImmediate } from 'node:timers/promises'
import { createSetClockNotice } from '../../lib/steady-clock.js'
import type { ConsoleReads } from '../console-reads.js'
import type { Sum } from '../reports/model.js'

/** Payments that were confirmed on one day (UTC). */
export interface DaySum extends Sum {
  /** Its midnight. */
  readonly day: number
}

const DAY_MS = 86_400_000
/** A payment is stored this long after the moment it is stored with, at the most. */
const SETTLED_MS = 60_000
const NONE: Sum = { count: 0, amount: 0n }

type Moment = Parameters<ConsoleReads['paymentSum']>[0]

interface Known {
  readonly sum: Sum
  /** Everything before is in the sum. */
  readonly until: number
}

const add = (one: Sum, other: Sum): Sum => ({
  count: one.count + other.count,
  amount: one.amount + other.amount,
})

export const midnightBefore = (ms: number): number => ms - (ms % DAY_MS)

/** A confirmed payment stays confirmed (`confirmPayment` of the store), so a day that is over changes no more. */
export function createDaySums(
  store: Pick<ConsoleReads, 'paymentSum'>,
  clock: Parameters<typeof createSetClockNotice>[0],
) {
  const days = new Map<string, Known>()
  const wasSet = createSetClockNotice(clock)

  async function sumOf(moment: Moment, from: number, to: number): Promise<Sum> {
    let sum = NONE
    for (let at = from; at < to; ) {
      const part = await store.paymentSum(moment, at, to)
      sum = add(sum, part)
      at = part.until
      await setImmediate()
    }
    return sum
  }

  /** Sums what is settled once, and reads what may still come again. */
  async function ofDay(moment: Moment, day: number, now: number): Promise<Sum> {
    const key = `${moment} ${day}`
    const end = day + DAY_MS
    const settled = Math.max(day, Math.min(end, now - SETTLED_MS))
    const before = days.get(key)
    const known = before && before.until <= settled ? before : { sum: NONE, until: day }
    const sum = add(known.sum, await sumOf(moment, known.until, settled))
    days.set(key, { sum, until: settled })
    return settled === end ? sum : add(sum, await sumOf(moment, settled, end))
  }

  let before: Promise<unknown> = Promise.resolve()

  /** Who asks while another is answered finds the sums made. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = before.then(work)
    before = result.catch(() => undefined)
    return result
  }

  /** Days further back are never asked for again. */
  function forget(before: number): void {
    for (const key of days.keys()) if (Number(key.split(' ')[1]) < before) days.delete(key)
  }

  /** What was over by a clock that was ahead may not be over. */
  function readClock(): number {
    if (wasSet()) days.clear()
    return clock.now()
  }

  return {
    async today(moment: Moment): Promise<Sum> {
      const now = readClock()
      return ofDay(moment, midnightBefore(now), now)
    },
    last: (count: number): Promise<readonly DaySum[]> =>
      inTurn(async () => {
        const now = readClock()
        const today = midnightBefore(now)
        forget(today - count * DAY_MS)
        const sums: DaySum[] = []
        for (let day = today - (count - 1) * DAY_MS; day <= today; day += DAY_MS)
          sums.push({ day, ...(await ofDay('confirmed', day, now)) })
        return sums
      }),
  }
}
