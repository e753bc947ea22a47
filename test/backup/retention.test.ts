import fc from 'fast-check'
import { expect, test } from 'vitest'
import { archiveName, decideRetention, parseArchiveName, type Retention } from '../../src/backup/retention.js'

const DAY = 86_400_000
const NOON = Date.UTC(2026, 0, 31, 12)
const none: Retention = { last: 0, daily: 0, weekly: 0, monthly: 0 }
const archives = (...times: readonly number[]) =>
  times.map((at) => ({ name: archiveName('pay', at, false), daemon: 'pay' as const, at }))
const stays = (times: readonly number[], retention: Partial<Retention>) =>
  decideRetention(archives(...times), { ...none, ...retention })
    .filter(({ because }) => because.length > 0)
    .map(({ at }) => at)

test('a name tells daemon and second', () => {
  expect(archiveName('relay', NOON, true)).toBe('grinpay-relay-20260131T120000Z.tar.age')
  expect(parseArchiveName('grinpay-relay-20260131T120000Z.tar.age')).toMatchObject({ daemon: 'relay', at: NOON })
})

test.each([
  'grinpay-pay-20260131T120000Z.tar.gz',
  'grinpay-pay-20261331T120000Z.tar',
  'grinpay-pay-20260230T120000Z.tar',
  'grinpay-sandbox-20260131T120000Z.tar',
  'pay.db',
  'grinpay-pay-20260131T120000Z.tar.tmp',
])('%s is no archive of ours', (name) => expect(parseArchiveName(name)).toBeUndefined())

test('of each day its last one stays', () => {
  const times = [NOON, NOON - 3600_000, NOON - DAY, NOON - DAY - 3600_000, NOON - 2 * DAY]
  expect(stays(times, { daily: 2 })).toEqual([NOON, NOON - DAY])
})

test('weeks begin on Mondays', () => {
  const monday = Date.UTC(2026, 1, 2, 1)
  const sunday = Date.UTC(2026, 1, 1, 23)
  expect(stays([monday, sunday, sunday - DAY], { weekly: 2 })).toEqual([monday, sunday])
})

test('days without an archive do not count', () => {
  expect(stays([NOON, NOON - 30 * DAY, NOON - 60 * DAY], { daily: 2 })).toEqual([NOON, NOON - 30 * DAY])
})

test('the newest stays whatever the rules say', () => expect(stays([NOON - DAY, NOON], {})).toEqual([NOON]))

test('each daemon has its own', () => {
  const two = [
    ...archives(NOON),
    { name: archiveName('relay', NOON - DAY, true), daemon: 'relay' as const, at: NOON - DAY },
  ]
  expect(decideRetention(two, none).every(({ because }) => because.includes('newest'))).toBe(true)
})

test('more rules never keep less', () => {
  const rule = fc.nat(4)
  const times = fc.uniqueArray(
    fc.integer({ min: 0, max: 60 }).map((days) => NOON - days * DAY),
    { maxLength: 20 },
  )
  fc.assert(
    fc.property(times, rule, rule, (some, daily, weekly) => {
      const both = new Set(stays(some, { daily, weekly }))
      expect([...stays(some, { daily }), ...stays(some, { weekly })].every((at) => both.has(at))).toBe(true)
    }),
  )
})
