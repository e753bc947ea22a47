import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addTime,
  createFixedWindow,
  createSlidingWindow,
  createTokenBuckets,
  dropUntil,
  noTimes,
  oldestOf,
  openMessageBudget,
  TokenBucket,
} from '../../src/lib/rate-limiter.js'

function windows(max: number, windowSeconds: number, maxClients?: number) {
  const clock = {
    at: 1_800_000_000_000,
    monotonic() {
      return this.at
    },
  }
  const terms = { limit: max, windowMs: windowSeconds * 1000, ...(maxClients !== undefined && { maxKeys: maxClients }) }
  const { delayMs, size } = createSlidingWindow(terms, clock)
  return { clock, ask: (client: string) => Math.ceil(delayMs(client) / 1000), size }
}

describe('a sliding window', () => {
  test('lets the allowed number pass, then says how long to wait', () => {
    const { ask } = windows(2, 60)
    expect([ask('a'), ask('a'), ask('a')]).toEqual([0, 0, 60])
    expect(ask('b')).toBe(0)
  })

  test('frees one place at a time, exactly when it is due', () => {
    const { clock, ask } = windows(2, 60)
    ask('a')
    clock.at += 20_000
    ask('a')
    clock.at += 39_999
    expect(ask('a')).toBe(1)
    clock.at += 1
    expect([ask('a'), ask('a')]).toEqual([0, 20])
  })

  test('does not count what it refused', () => {
    const { clock, ask } = windows(1, 60)
    ask('a')
    for (let second = 1; second < 60; second++) {
      clock.at += 1000
      expect(ask('a')).toBe(60 - second)
    }
    clock.at += 1000
    expect(ask('a')).toBe(0)
  })

  test('agrees with counting everything, always', () => {
    const steps = fc.array(fc.record({ wait: fc.integer({ min: 0, max: 9_000 }), client: fc.constantFrom('a', 'b') }), {
      maxLength: 400,
    })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (asked, max) => {
        const { clock, ask } = windows(max, 10)
        const granted: { client: string; at: number }[] = []
        for (const { wait, client } of asked) {
          clock.at += wait
          const recent = granted.filter((one) => one.client === client && one.at > clock.at - 10_000)
          const passes = recent.length < max
          expect(ask(client) === 0).toBe(passes)
          if (passes) granted.push({ client, at: clock.at })
        }
      }),
    )
  })
})

describe('a flood of addresses', () => {
  test('is counted up to the bound', () => {
    const { ask, size } = windows(5, 3600, 100)
    for (let n = 0; n < 1000; n++) ask(`address ${n}`)
    expect(size()).toBe(100)
  })

  test('is counted up to 10,000 keys where no bound is given', () => {
    const { ask, size } = windows(5, 3600)
    for (let n = 0; n < 10_000; n++) ask(`address ${n}`)
    expect(size()).toBe(10_000)
    ask('one more')
    expect(size()).toBe(10_000)
  })

  test('leaves room again once it is over', () => {
    const { clock, ask, size } = windows(5, 60, 1000)
    for (let n = 0; n < 1000; n++) ask(`address ${n}`)
    clock.at += 61_000
    for (let n = 0; n < 600; n++) ask(`visitor ${n}`)
    expect(size()).toBeLessThan(700)
  })

  test('does not push out a client that keeps asking, while there is room', () => {
    const { clock, ask } = windows(3, 60, 1000)
    ask('steady')
    for (let n = 0; n < 500; n++) {
      clock.at += 10
      ask(`address ${n}`)
    }
    expect([ask('steady'), ask('steady'), ask('steady')]).toEqual([0, 0, 55])
  })
})

test('a ring of times is a list that is added to at the end and cut at the beginning', () => {
  const step = fc.oneof(fc.record({ add: fc.nat(5) }), fc.record({ drop: fc.nat(9) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const times = noTimes()
      let list: number[] = []
      let now = 0
      for (const one of steps) {
        if ('add' in one) {
          now += one.add
          addTime(times, now)
          list.push(now)
        } else {
          dropUntil(times, now - one.drop)
          list = list.filter((time) => time > now - one.drop)
        }
        expect([times.count, oldestOf(times)]).toEqual([list.length, list[0]])
      }
    }),
  )
})

describe('a fixed window', () => {
  const at = { now: 45_000, monotonic: () => at.now }

  test('opens again at the full minute, for all keys', () => {
    at.now = 45_000
    const { delayMs } = createFixedWindow({ limit: 2, windowMs: 60_000 }, at)
    expect([delayMs('a'), delayMs('a'), delayMs('a'), delayMs('b')]).toEqual([0, 0, 15_000, 0])
    at.now = 60_000
    expect(delayMs('a')).toBe(0)
  })

  test('counts nothing of what does not fit', () => {
    at.now = 0
    const { delayMs } = createFixedWindow({ limit: 5, windowMs: 60_000 }, at)
    expect([delayMs('', 4), delayMs('', 2), delayMs('', 1), delayMs('', 0)]).toEqual([0, 60_000, 0, 0])
  })
})

const clock = { at: 0, monotonic: () => clock.at }

test('a bucket gives its burst at once, then one token at a time', () => {
  clock.at = 0
  const bucket = new TokenBucket({ perMinute: 60, burst: 2 }, clock)
  expect([bucket.take(), bucket.take(), bucket.take()]).toEqual([true, true, false])
  expect(bucket.waitMs()).toBe(1000)
  clock.at = 999
  expect(bucket.take()).toBe(false)
  clock.at = 1000
  expect([bucket.take(), bucket.take()]).toEqual([true, false])
})

test('a key that waits for the given time finds a token', () => {
  clock.at = 0
  const buckets = createTokenBuckets({ perMinute: 7, burst: 1 }, clock)
  for (let round = 0; round < 100; round++) {
    buckets.take('key')
    clock.at += buckets.waitMs('key')
    expect(buckets.waitMs('key')).toBe(0)
  }
})

test('a token that was given back never overfills the bucket', () => {
  const buckets = createTokenBuckets({ perMinute: 60, burst: 3 }, clock)
  buckets.giveBack('key')
  expect(buckets.tokensOf('key')).toBe(3)
})

test('a budget without a limit gives always', () => {
  const budget = openMessageBudget(undefined, clock)
  expect(Array.from({ length: 1000 }, () => budget.take()).every(Boolean)).toBe(true)
})
