// What is made of what happened at a relay. The first rule that fits decides; relays themselves are in relay.test.ts.
import { expect, test } from 'vitest'
import { type RelayFacts, verdictOn } from '../../../src/doctor/pay/relay-verdict.js'
import type { Trip } from '../../../src/doctor/round-trip.js'

const CAME: Trip = { outcome: 'arrived', ms: 7 }
const LOST: Trip = { outcome: 'lost' }
const refused = (message: string): Trip => ({ outcome: 'refused', message })

const FINE: RelayFacts = {
  mainHeard: 'listening',
  onceHeard: 'listening',
  main: CAME,
  once: CAME,
  large: CAME,
  challenged: false,
  authenticated: false,
  writerAuthenticated: false,
  standIn: false,
}

const CASES: readonly (readonly [what: string, facts: Partial<RelayFacts>, level: string, detail: string])[] = [
  ['everything arrives', {}, 'pass', 'delivers to one-time keys in 7 ms, to the main key in 7 ms, 40 KB in 7 ms'],
  ['it asks who reads, never says OK and delivers all the same', { challenged: true }, 'pass', 'and was answered'],
  ['it asks who reads and delivers nothing', { challenged: true, main: LOST }, 'fail', 'does not accept'],
  [
    'subscribing is not allowed',
    { mainHeard: { refused: 'no' }, onceHeard: { refused: 'no' } },
    'fail',
    'not listen: no',
  ],
  ['one of two wraps is refused', { main: refused('blocked: slow') }, 'fail', 'but not the main key: blocked: slow'],
  ['one-time keys get nothing', { once: LOST, large: undefined }, 'warn', 'main key only'],
  ['what comes back does not open', { once: { outcome: 'damaged' } }, 'fail', 'changes what it delivers'],
  ['large wraps are lost', { large: LOST }, 'fail', '40 KB and never delivers'],
  ['writers have to authenticate', { writerAuthenticated: true }, 'warn', 'writers to authenticate'],
]

test.each(CASES)('%s', (_, facts, level, detail) => {
  expect(verdictOn({ ...FINE, ...facts })).toMatchObject({ level, detail: expect.stringContaining(detail) })
})
