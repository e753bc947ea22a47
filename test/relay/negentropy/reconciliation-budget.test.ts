import { expect, test } from 'vitest'
import { createReconciliationBudget } from '../../../src/relay/negentropy/reconciliation-budget.js'
import { createFakeClock } from '../../support/fake-clock.js'

test('only time that passed makes a set idle: a wall clock that leaps evicts none', async () => {
  const clock = createFakeClock()
  const budget = createReconciliationBudget({ maxEntries: 10, clock })
  const evicted: string[] = []
  const [first, second] = ['first', 'second'].map((name) => ({ evict: () => void evicted.push(name) }))
  if (!first || !second) throw new Error('two holders are needed')
  expect(budget.reserve(first, 10)).toBe(true)
  clock.jump(3_600_000)
  expect([budget.reserve(second, 5), evicted]).toEqual([false, []])
  await clock.advance(30_000)
  expect([budget.reserve(second, 5), evicted]).toEqual([true, ['first']])
})
