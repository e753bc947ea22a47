import { expect, test } from 'vitest'
import { instanceFindings } from '../../src/doctor/cluster-check.js'

const anInstance = {
  id: '11111111-0000-4000-8000-000000000000',
  ...{ daemon: 'nameauth', version: '1.0.0', host: 'a', startedAt: 1, seenAt: 100, silentMs: 3, isSilent: false },
  ...{ clockAheadMs: 4, fingerprints: { NAMEAUTH_NAME_MIN: 'x' } as Readonly<Record<string, string>> },
  leases: [],
}
const another = { ...anInstance, id: '22222222-0000-4000-8000-000000000000', host: 'b' }
const linesOf = (...instances: Parameters<typeof instanceFindings>[0]) =>
  instanceFindings(instances).map(({ level, about, detail }) => `${level} ${about ?? 'all'}: ${detail}`)

test('instances that are alike are one line, and none is none', () => {
  expect(linesOf(anInstance, another)).toEqual(['pass all: 2 running: a, b'])
  expect(linesOf()).toEqual([])
})

test.each([
  ['versions', { version: '1.1.0' }, 'warn all: versions differ: 1.0.0 on a; 1.1.0 on b'],
  [
    'settings',
    { fingerprints: { NAMEAUTH_NAME_MIN: 'y' } },
    'warn all: NAMEAUTH_NAME_MIN differs: one value on a and another one on b',
  ],
  ['a clock ahead', { clockAheadMs: 30_000 }, 'warn b: its clock is 30 s ahead of the database'],
  ['a clock behind', { clockAheadMs: -6000 }, 'warn b: its clock is 6 s behind the database'],
  ['one that ended without a word', { silentMs: 60_000, isSilent: true }, 'warn b: silent for 60 s'],
])('%s', (_, change, line) => {
  expect(linesOf(anInstance, { ...another, ...change })).toEqual([expect.stringContaining(line)])
})

test('a setting that only a newer version has is no difference; those of one machine are told apart', () => {
  const newer = { ...another, host: 'a', fingerprints: { NAMEAUTH_NAME_MIN: 'x', NEW: 'z' } }
  expect(linesOf(anInstance, newer)).toEqual(['pass all: 2 running: a (11111111), a (22222222)'])
})

test('one that was killed and started again is not missed', () => {
  const killed = { ...another, host: 'a', seenAt: 50, silentMs: 60_000, isSilent: true }
  expect(linesOf(anInstance, killed)).toEqual([expect.stringContaining('1 running')])
  expect(linesOf({ ...anInstance, daemon: 'pay' }, killed)).toEqual([expect.stringContaining('silent')])
})
