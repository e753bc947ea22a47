// Short worlds, so that the simulation itself stays able to run: the same number is the same world, and nothing fails in it.
import { expect, test } from 'vitest'
import { liveTillWorld } from '../simulation/till/world.js'
import { walletWorld } from '../simulation/wallet/index.js'

test('a seed gives the same world again, in which every promise holds', { timeout: 180_000 }, async () => {
  const [first, again] = [await liveTillWorld({ seed: 11, hours: 4 }), await liveTillWorld({ seed: 11, hours: 4 })]
  expect(again.hash).toBe(first.hash)
  expect(first.happenings.size).toBeGreaterThan(0)
  expect(first.failures).toEqual([])
})

test('another seed gives another world', { timeout: 180_000 }, async () => {
  const [one, other] = [await liveTillWorld({ seed: 12, hours: 1 }), await liveTillWorld({ seed: 13, hours: 1 })]
  expect(one.hash).not.toBe(other.hash)
  expect([...one.failures, ...other.failures]).toEqual([])
})

test('wallets at several windows, with nodes that lie and drops at any await', { timeout: 180_000 }, async () => {
  for (const seed of [1, 2, 3, 8])
    expect([seed, (await walletWorld.run(seed, { hours: 1 })).failures]).toEqual([seed, []])
  const [first, again] = [await walletWorld.run(5, { hours: 1 }), await walletWorld.run(5, { hours: 1 })]
  expect(again.hash).toBe(first.hash)
  expect(first.faults.size).toBeGreaterThan(0)
})
