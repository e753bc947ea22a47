import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createWatchPlan, type WatchPlan } from '../../../src/nostr/relays/watch-plan.js'
import { anyPubkey } from '../../support/relay-pool.js'

const MAIN = 'f'.repeat(64)
const keys = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => anyPubkey(from + n))
const allGroups = (plan: WatchPlan) => Array.from({ length: plan.links() }, (_, link) => plan.groups(link)).flat()
const sizes = (plan: WatchPlan) => allGroups(plan).map(({ sub, keys: { size } }) => `${sub}: ${size}`)

test('the main key has a subscription of its own', () => {
  const plan = createWatchPlan(MAIN)
  plan.add([anyPubkey(1), MAIN])
  expect(sizes(plan)).toEqual(['till-0: 1', 'till-1: 1'])
})

test('new keys gather in a small group that is emptied into a large one', () => {
  const plan = createWatchPlan(MAIN)
  for (const key of keys(0, 100)) plan.add([key])
  expect(sizes(plan)).toEqual(['till-0: 0', 'till-1: 100'])
  plan.add([anyPubkey(100)])
  expect(sizes(plan)).toEqual(['till-0: 0', 'till-2: 101', 'till-1: 0'])
})

test('adding a key touches one group only', () => {
  const plan = createWatchPlan(MAIN)
  plan.add(keys(0, 10_000))
  const before = allGroups(plan).map(({ version }) => version)
  plan.add([anyPubkey(10_000)])
  const after = allGroups(plan).map(({ version }) => version)
  expect(after.filter((version, n) => version !== before[n]).length).toBe(1)
})

test('sixty thousand keys take five connections', () => {
  const plan = createWatchPlan(MAIN)
  plan.add(keys(0, 60_000))
  expect([plan.links(), plan.size(), plan.groups(0).length, plan.groups(4).length]).toEqual([5, 60_000, 10, 8])
})

test('keys that left are swept one group at a time, the most thinned out first', () => {
  const plan = createWatchPlan(MAIN)
  plan.add(keys(0, 3000))
  const versions = () => plan.groups(0).map(({ version }) => version)
  const start = versions()
  plan.remove(keys(0, 2))
  plan.remove(keys(1500, 1510))
  expect(versions()).toEqual(start)
  expect(plan.sweep()).toBe(true)
  expect(versions().map((version, n) => version - (start[n] ?? 0))).toEqual([0, 0, 1, 0])
  expect([plan.sweep(), plan.sweep()]).toEqual([true, false])
})

test('an event to a key that has just left is no fault', () => {
  const plan = createWatchPlan(MAIN)
  plan.add([anyPubkey(1)])
  expect(plan.remove([anyPubkey(1), anyPubkey(2)])).toEqual([anyPubkey(1)])
  expect([plan.has(anyPubkey(1)), plan.isRetired(anyPubkey(1)), plan.isRetired(anyPubkey(2))]).toEqual([
    false,
    true,
    false,
  ])
})

test('whatever is added and removed: every watched key stands in exactly one group, and no group is too long', () => {
  const step = fc.record({ add: fc.boolean(), from: fc.nat(4000), count: fc.nat(400) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const plan = createWatchPlan(MAIN)
      const model = new Set<string>()
      for (const { add, from, count } of steps) {
        const some = keys(from, from + count)
        if (add) for (const key of plan.add(some)) model.add(key)
        else for (const key of plan.remove(some)) model.delete(key)
      }
      const standing = allGroups(plan).flatMap((group) => [...group.keys])
      expect(standing.length).toBe(model.size)
      expect(new Set(standing)).toEqual(model)
      expect([...plan.all()].every(plan.has)).toBe(true)
      expect(Math.max(...allGroups(plan).map((group) => group.keys.size))).toBeLessThanOrEqual(1500)
    }),
    { numRuns: 50 },
  )
})
