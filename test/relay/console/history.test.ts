// What the console observes of a relay by its counters.
import { expect, test } from 'vitest'
import { createRelayHistory } from '../../../src/relay/console/history.js'
import { HOUR, NOON } from '../../support/till-builders.js'

const STARTED = NOON - 10 * HOUR
const reading = (at: number, accepted: number, over: object = {}) => ({
  ...{ at, startedAt: STARTED, accepted, refused: 0 },
  kinds: new Map([[1059, accepted]]),
  ...over,
})

test('events belong to the hour in which they were counted; what was before is not', () => {
  const history = createRelayHistory()
  expect(history.past(NOON)).toBeUndefined()
  history.add(reading(NOON - 30_000, 500))
  history.add(reading(NOON - 10_000, 540, { refused: 3 }))
  history.add(reading(NOON + 10_000, 545, { refused: 3 }))
  const past = history.past(NOON + 20_000)
  expect(past?.since).toBe(NOON - 30_000)
  expect(past?.hours).toHaveLength(24)
  expect(past?.hours.slice(-2)).toEqual([
    { start: NOON - HOUR, accepted: 40, refused: 3, kinds: new Map([[1059, 40]]) },
    { start: NOON, accepted: 5, refused: 0, kinds: new Map([[1059, 5]]) },
  ])
})

test('the rate is that of the last two readings, and none when they are old', () => {
  const history = createRelayHistory()
  history.add(reading(NOON, 0))
  expect(history.rate(NOON)).toBeUndefined()
  history.add(reading(NOON + 10_000, 45))
  history.add(reading(NOON + 11_000, 99)) // too soon to say something
  expect(history.rate(NOON + 11_000)).toEqual({ perSecond: 4.5, overSeconds: 10 })
  expect(history.rate(NOON + 10 * HOUR)).toBeUndefined()
})

test('a relay that was started again counts from 0, and loses nothing of before', () => {
  const history = createRelayHistory()
  history.add(reading(NOON, 100))
  history.add(reading(NOON + 10_000, 150))
  history.add(reading(NOON + 40_000, 7, { startedAt: NOON + 30_000 }))
  expect(history.past(NOON + 40_000)?.hours.at(-1)?.accepted).toBe(57)
  expect(history.rate(NOON + 40_000)).toBeUndefined()
})

test('a clock that is set back or far ahead loses no event and no hour of the last day', () => {
  const history = createRelayHistory()
  history.add(reading(NOON, 100))
  history.add(reading(NOON - 2 * HOUR, 110))
  expect(history.past(NOON)?.hours.at(-3)?.accepted).toBe(10)
  history.add(reading(NOON + 500 * HOUR, 130))
  expect(
    history
      .past(NOON + 500 * HOUR)
      ?.hours.map(({ accepted }) => accepted)
      .filter(Boolean),
  ).toEqual([20])
})
