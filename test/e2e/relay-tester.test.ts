// What a public tester of relays asks, in our own words and code: about eighty questions, half of which every relay must pass. The key that asks may
// write everything, at any time. What this relay does not do on purpose says why.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRelay } from '../support/relay-process.js'
import { ALL_KINDS } from '../support/wire-people.js'
import { DELETING } from './relay-tester/deleting.js'
import { FINDING } from './relay-tester/finding.js'
import { KEEPING } from './relay-tester/keeping.js'
import { TALKING } from './relay-tester/talking.js'
import { type Case, openWorld, TESTER, type World } from './relay-tester/world.js'

const CASES: readonly Case[] = [...TALKING, ...KEEPING, ...FINDING, ...DELETING]
const FOR_EVER = 4_294_967_295

let world: World
const results = new Map<Case, boolean>()

beforeAll(async () => {
  const relay = await startRelay({
    'limits.event_kind_allowlist': ALL_KINDS,
    'authorization.public_note_authors': [TESTER.pubkey],
    'authorization.nip42_auth': true,
    'options.reject_past_seconds': FOR_EVER,
    'options.reject_future_seconds': FOR_EVER,
  })
  world = await openWorld(relay)
})
afterAll(async () => {
  await world?.relay.remove()
})

test.each(CASES.map((one) => [one.required ? 'required' : 'optional', one.name, one] as const))(
  '%s: %s',
  async (_required, _name, one) => {
    const passes = await one.passes(world)
    results.set(one, passes)
    expect(passes).toBe(one.declined === undefined)
  },
)

test('all that is required is passed', () => {
  const passed = (some: readonly Case[]) => `${some.filter((one) => results.get(one)).length} of ${some.length}`
  const required = CASES.filter((one) => one.required)
  console.log(`relay tester: required ${passed(required)}, all ${passed(CASES)}`)
  for (const { name, declined } of CASES) if (declined !== undefined) console.log(`  not: ${name} (${declined})`)
  expect(required.filter((one) => results.get(one) !== true)).toEqual([])
})
