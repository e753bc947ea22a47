// What one look at the chain means for one payment, at the very edges of every rule.
import { expect, test } from 'vitest'
import { type ChainFacts, findingOf, searchFrom } from '../../../src/till/confirmation/sightings.js'
import type { Payment } from '../../../src/till/index.js'
import { aPayment, DAY, HOUR, MINUTE, NOON, SECOND } from '../../support/till-builders.js'

const patience = { confirmations: 10, settleTimeout: 3600, every: 24 * SECOND }
const nowhere: ChainFacts = { tip: 1000, kernelHeight: undefined, outputThere: false, inPool: false }
const minedAt = (kernelHeight: number): ChainFacts => ({ ...nowhere, kernelHeight, outputThere: true })

const replied = aPayment({ settlement: 'replied', createdAt: NOON })
const at = (age: number, payment: Payment, facts: ChainFacts = nowhere) =>
  findingOf(payment, facts, patience, NOON + age)

test('the settle time ends to the millisecond', () => {
  expect(at(HOUR - 1, replied)).toEqual({ kind: 'wait', nextCheckAt: NOON + HOUR - 1 + 24 * SECOND })
  expect(at(HOUR, replied)).toMatchObject({ kind: 'abandon' })
})

test('the tip block counts as one confirmation, and the tenth confirms', () => {
  expect(at(0, replied, minedAt(1000))).toMatchObject({ kind: 'sighting', sighting: { confirmations: 1 } })
  expect(at(0, replied, minedAt(992))).toMatchObject({ kind: 'sighting', sighting: { confirmations: 9 } })
  expect(at(0, replied, minedAt(991))).toMatchObject({ kind: 'confirm', sighting: { confirmations: 10 } })
})

test('a block above the tip that was just named counts as one', () => {
  expect(at(0, replied, minedAt(1001))).toMatchObject({ kind: 'sighting', sighting: { confirmations: 1 } })
})

test('our output without a kernel confirms nothing, abandons nothing and is alarmed', () => {
  const facts = { ...nowhere, outputThere: true }
  expect(at(2 * DAY, replied, facts)).toMatchObject({ kind: 'wait', alarm: expect.any(String) })
})

test('a kernel without our output counts with an alarm below the required depth, and confirms with a note at it', () => {
  const spent = (kernelHeight: number): ChainFacts => ({ ...nowhere, kernelHeight })
  const output = 'spent-or-missing'
  expect(at(2 * DAY, replied, spent(992))).toMatchObject({
    kind: 'sighting',
    sighting: { settlement: 'mined', confirmations: 9, output },
    alarm: expect.stringContaining('spent with the same seed elsewhere'),
  })
  const final = at(2 * DAY, replied, spent(991))
  expect(final).toMatchObject({ kind: 'confirm', sighting: { confirmations: 10, output } })
  expect(final).not.toHaveProperty('alarm')
})

test.each([
  [HOUR - 1, 24 * SECOND],
  [HOUR, MINUTE],
  [DAY - 1, MINUTE],
  [DAY, 10 * MINUTE],
])('an abandoned payment of age %d ms is looked at again after %d ms', (age, pause) => {
  const payment = aPayment({ settlement: 'abandoned', createdAt: NOON })
  expect(at(age, payment)).toEqual({ kind: 'wait', nextCheckAt: NOON + age + pause })
})

test('an abandoned payment is watched for seven days after the settle time', () => {
  const payment = aPayment({ settlement: 'abandoned', createdAt: NOON })
  expect(at(HOUR + 7 * DAY - 1, payment)).toMatchObject({ kind: 'wait', nextCheckAt: expect.any(Number) })
  expect(at(HOUR + 7 * DAY, payment)).toEqual({ kind: 'wait', nextCheckAt: null })
})

test('a confirmed payment is watched for a day, and a lost one for as long as it is lost', () => {
  const payment = aPayment({ settlement: 'confirmed', createdAt: NOON, confirmedAt: NOON, minedHeight: 991 })
  const there = minedAt(991)
  expect(at(DAY - 10 * MINUTE, payment, there)).toMatchObject({ nextCheckAt: NOON + DAY })
  expect(at(DAY - 10 * MINUTE + 1, payment, there)).toMatchObject({ nextCheckAt: null })
  expect(at(30 * DAY, payment)).toMatchObject({ nextCheckAt: NOON + 30 * DAY + 10 * MINUTE, alarm: expect.any(String) })
})

test.each<[Partial<Payment>, number]>([
  [{ receivedHeight: 5000 }, 5000 - 1440],
  [{ receivedHeight: 100 }, 0],
  // The height is unknown: ten minutes are at most ten blocks.
  [{ receivedHeight: 0, createdAt: NOON - 10 * MINUTE }, 6000 - 10 - 1440],
  // A node reported a height that is not the chain's: where the chain was then decides.
  [{ receivedHeight: 9_000_000, createdAt: NOON - 10 * MINUTE }, 6000 - 10 - 1440],
  // Blocks came slower than one a minute.
  [{ receivedHeight: 5999, createdAt: NOON - 10 * MINUTE }, 6000 - 10 - 1440],
])('the search for the kernel of %o begins at %d', (over, height) => {
  expect(searchFrom(aPayment({ createdAt: NOON, ...over }), 6000, NOON)).toBe(height)
})
