// Short form of `npm run test:faults`.
import { expect, test } from 'vitest'
import { runOutageRounds } from '../faults/rail-outage-rounds.js'

test.each([
  { what: 'relays', rounds: 3, means: 'relays that die before and after an OK' },
  { what: 'node', rounds: 1, means: 'a node that is away' },
  { what: 'hour', rounds: 1, means: 'an hour without any relay' },
] as const)('$means: every payer has one S2 in the end', async ({ what, rounds }) => {
  const { faults } = await runOutageRounds(what, rounds)
  expect(faults).toEqual([])
})
