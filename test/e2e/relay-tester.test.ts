// What a public tester of relays asks, in our own words and code: 81 questions, half of which every relay must pass, and a few of our own. The relay
// is open to everybody by the three settings of `setup relay --profile everybody`; its clock bound is opened too, because the tester publishes events
// of next year. What this relay does not do on purpose says why.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startRelay } from '../support/relay-process.js'
import { DELETING } from './relay-tester/deleting.js'
import { FINDING } from './relay-tester/finding.js'
import { KEEPING } from './relay-tester/keeping.js'
import { TALKING } from './relay-tester/talking.js'
import { type Case, openWorld, type World } from './relay-tester/world.js'

const CASES: readonly Case[] = [...TALKING, ...KEEPING, ...FINDING, ...DELETING]
const FOR_EVER = 4_294_967_295

let world: World
const results = new Map<Case, boolean>()

beforeAll(async () => {
  const relay = await startRelay({
    'limits.event_kind_allowlist': 'all',
    'authorization.public_note_authors': 'everyone',
    'options.reject_past_seconds': 0,
    'authorization.nip42_auth': true,
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

test('all that is required is passed, and at least 67 of 81', () => {
  const asked = CASES.filter(({ extra }) => extra !== true)
  const passed = (some: readonly Case[]) => `${some.filter((one) => results.get(one)).length} of ${some.length}`
  const required = asked.filter((one) => one.required)
  console.log(`relay tester: required ${passed(required)}, all ${passed(asked)}`)
  for (const { name, declined } of CASES) if (declined !== undefined) console.log(`  not: ${name} (${declined})`)
  expect(asked).toHaveLength(81)
  expect(asked.filter((one) => results.get(one)).length).toBeGreaterThanOrEqual(67)
  expect(required.filter((one) => results.get(one) !== true)).toEqual([])
})
