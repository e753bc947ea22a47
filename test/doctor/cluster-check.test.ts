import { expect, test } from 'vitest'
import { clusterFindings } from '../../src/doctor/cluster-check.js'

const node = { version: 15, followers: 0, isFollowing: true, isSynchronous: true, clockAheadMs: 3 }
const primary = { ...node, host: 'a:5432', role: 'primary', followers: 2 } as const
const standbys = [
  { ...node, host: 'b:5432', role: 'standby' },
  { ...node, host: 'c:5432', role: 'standby' },
] as const
const told = (...nodes: Parameters<typeof clusterFindings>[0]) =>
  clusterFindings(nodes).map(({ level, about, detail }) => `${level} ${about ?? 'cluster'}: ${detail}`)

test('three nodes that are well are one line', () => {
  expect(told(primary, ...standbys)).toEqual(['pass cluster: the primary is a:5432'])
})

test.each([
  ['no primary', [standbys[0]], 'fail cluster: no node is the primary'],
  ['two primaries', [primary, { ...primary, host: 'b:5432' }], 'fail cluster: a:5432 and b:5432 both say'],
  ['commits wait for nobody', [{ ...primary, isSynchronous: false }], 'fail a:5432: its commits wait for no standby'],
  ['no standby', [{ ...primary, followers: 0 }], 'fail a:5432: no standby follows it'],
  ['one standby', [{ ...primary, followers: 1 }], 'warn a:5432: one standby follows it'],
  [
    'a standby that cannot follow',
    [primary, { ...standbys[0], isFollowing: false }],
    'fail b:5432: it receives nothing',
  ],
  ['a clock of its own', [{ ...primary, clockAheadMs: -30_000 }], 'warn a:5432: its clock differs by -30 s'],
  [
    'a dead node',
    [primary, { host: 'c:5432', role: 'away', cause: 'ECONNREFUSED' }],
    'warn c:5432: does not answer: ECONNREFUSED',
  ],
  [
    'a node that refuses the login',
    [primary, { host: 'c:5432', role: 'away', cause: 'password authentication failed for user "me"' }],
    'warn c:5432: does not answer: password authentication failed',
  ],
  [
    'a pooler in place of a node',
    [{ host: 'c:5432', role: 'away', cause: 'c:5432 is a connection pooler', hint: 'name the servers themselves' }],
    'fail c:5432: is not used: c:5432 is a connection pooler',
  ],
] as const)('%s', (_, nodes, line) => {
  expect(told(...nodes)).toContainEqual(expect.stringContaining(line))
})
