// The relay among people who mean harm, over real sockets of the built command: whatever they send, the relay stands, its memory
// stays within bounds, and who behaves is served as before.
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { writer } from '../support/wire-people.js'
import { describeAbsentOthers } from './relay-hostile/absent-others.js'
import { describeBitFlips } from './relay-hostile/bit-flips.js'
import { describeCrowds } from './relay-hostile/crowds.js'
import { describeFloods } from './relay-hostile/floods.js'
import { describeFrames } from './relay-hostile/frames.js'
import { describeJson } from './relay-hostile/json.js'
import { startTargets, stopTargets, targets } from './relay-hostile/targets.js'

beforeAll(async () => {
  await startTargets()
})
afterEach(async () => {
  const client = await targets.relay.client()
  const event = writer().event()
  await client.store(event)
  expect(await client.ids({ ids: [event.id] })).toEqual([event.id])
  client.close()
  expect(targets.relay.output()).not.toMatch(/"level":(50|60)/)
})
afterAll(async () => {
  await stopTargets()
})

describeFrames()
describeJson()
describeBitFlips()
describeCrowds()
describeFloods()
describeAbsentOthers()
