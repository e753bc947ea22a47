import { expect, test } from 'vitest'
import { createTokenBuckets, openMessageBudget, TokenBucket } from '../../src/lib/token-bucket.js'

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
