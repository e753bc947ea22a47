// Short worlds of a name authority: the same number is the same world, and nothing fails in it.
import { expect, test } from 'vitest'
import { namesWorld } from '../simulation/names/index.js'

test('a seed gives the same world of names again, in which every promise holds', { timeout: 120_000 }, async () => {
  const [first, again] = [await namesWorld.run(1, { hours: 96 }), await namesWorld.run(1, { hours: 96 })]
  expect(again.hash).toBe(first.hash)
  expect(first.failures).toEqual([])
  expect(first.states.get('claim: 201')).toBeGreaterThan(0)
})

test('another seed gives another world of names', { timeout: 120_000 }, async () => {
  const [one, other] = [await namesWorld.run(5, { hours: 24 }), await namesWorld.run(6, { hours: 24 })]
  expect(one.hash).not.toBe(other.hash)
  expect([...one.failures, ...other.failures]).toEqual([])
})
