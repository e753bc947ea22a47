// What keeps strangers from costing the till more than a little: quotas, the queue for later, the pump.
import { describe, expect, test } from 'vitest'
import { createSlidingWindow } from '../../../src/lib/rate-limiter.js'
import { createPump } from '../../../src/till/nostr/pump.js'
import { createRetries, RETRY_LIMITS, type Retryable } from '../../../src/till/nostr/retry.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { DAY, HOUR, MINUTE, SECOND } from '../../support/till-builders.js'

describe('a quota', () => {
  test('is a sliding window per key', async () => {
    const clock = createFakeClock()
    const quota = createSlidingWindow({ limit: 2, windowMs: HOUR }, clock)
    expect([quota.take('a'), quota.take('a'), quota.take('a'), quota.take('b')]).toEqual([true, true, false, true])
    await clock.advance(HOUR - 1)
    expect(quota.take('a')).toBe(false)
    await clock.advance(1)
    expect([quota.take('a'), quota.take('a'), quota.take('a')]).toEqual([true, true, false])
  })

  test('remembers so many keys and no more', () => {
    const quota = createSlidingWindow({ limit: 1, windowMs: HOUR, maxKeys: 2 }, createFakeClock())
    for (const key of ['a', 'b', 'c']) quota.take(key)
    expect([quota.take('b'), quota.take('c'), quota.take('a')]).toEqual([false, false, true])
  })
})

const letter = (over: Partial<Retryable> = {}): Retryable => ({
  sender: 'anna',
  bytes: 1000,
  failures: 1,
  since: 0,
  ...over,
})

describe('what must wait', () => {
  test('comes back after 5 s, 10 s … 10 minutes', async () => {
    const clock = createFakeClock()
    const retries = createRetries(clock)
    const waits: (number | undefined)[] = []
    for (let failures = 1; failures <= 9; failures += 1) {
      retries.add(letter({ failures }))
      waits.push(retries.waitMs())
      expect(retries.next()).toBeUndefined()
      await clock.advance(waits.at(-1) ?? 0)
      expect(retries.next()).toMatchObject({ failures })
    }
    expect(waits.map((ms) => (ms ?? 0) / SECOND)).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600])
    expect(retries.waitMs()).toBeUndefined()
  })

  test('comes back soonest first', async () => {
    const clock = createFakeClock()
    const retries = createRetries(clock)
    for (const failures of [3, 1, 2]) retries.add(letter({ failures, sender: `s${failures}` }))
    await clock.advance(MINUTE)
    expect([retries.next(), retries.next(), retries.next()].map((one) => one?.failures)).toEqual([1, 2, 3])
  })

  test('is bounded by sender, count, bytes and a day', () => {
    const retries = createRetries(createFakeClock(), { ...RETRY_LIMITS, entries: 3, bytes: 3000, perSender: 2 })
    expect([retries.add(letter()), retries.add(letter()), retries.add(letter())]).toEqual([true, true, false])
    expect(retries.add(letter({ sender: 'ben', bytes: 1001 }))).toBe(false)
    expect(retries.add(letter({ sender: 'ben', since: -DAY }))).toBe(false)
    expect(retries.add(letter({ sender: 'ben', bytes: 500 }))).toBe(true)
    expect(retries.add(letter({ sender: 'carl', bytes: 1 }))).toBe(false)
    expect(retries.size()).toBe(3)
  })

  test('gives its room back', async () => {
    const clock = createFakeClock()
    const retries = createRetries(clock, { entries: 1, bytes: 1000, perSender: 1 })
    retries.add(letter())
    await clock.advance(5 * SECOND)
    retries.next()
    expect(retries.add(letter())).toBe(true)
  })
})

describe('a pump', () => {
  function pumpOf(jobs: string[], width = 2) {
    const clock = createFakeClock()
    const begun: string[] = []
    const doors = new Map<string, () => void>()
    let waitMs: number | undefined
    const pump = createPump<string>({
      width,
      next: () => jobs.shift(),
      waitMs: () => waitMs,
      run: async (job) => {
        begun.push(job)
        await new Promise<void>((open) => doors.set(job, open))
      },
      clock,
    })
    const finish = async (job: string) => {
      doors.get(job)?.()
      await settled()
      await settled()
    }
    return { pump, begun, clock, finish, wait: (ms: number | undefined) => (waitMs = ms) }
  }

  test('runs so many at a time', async () => {
    const { pump, begun, finish } = pumpOf(['a', 'b', 'c'])
    pump.kick()
    await settled()
    expect(begun).toEqual(['a', 'b'])
    await finish('b')
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  test('wakes by itself when the next may start, with one sleeper however often it is kicked', async () => {
    const jobs: string[] = []
    const { pump, begun, clock, wait } = pumpOf(jobs)
    wait(500)
    for (let i = 0; i < 5; i += 1) pump.kick()
    expect(clock.sleepers()).toBe(1)
    jobs.push('late')
    wait(undefined)
    await clock.advance(500)
    await settled()
    expect(begun).toEqual(['late'])
    expect(clock.sleepers()).toBe(0)
  })

  test('ends after what runs, and starts nothing more', async () => {
    const { pump, begun, clock, finish, wait } = pumpOf(['a', 'b'], 1)
    pump.kick()
    await settled()
    wait(500)
    let ended = false
    const closing = pump.close().then(() => (ended = true))
    await settled()
    expect(ended).toBe(false)
    await finish('a')
    await closing
    expect(begun).toEqual(['a'])
    expect(clock.sleepers()).toBe(0)
  })
})
