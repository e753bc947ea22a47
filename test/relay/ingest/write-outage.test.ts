import { expect, test } from 'vitest'
import { createWriteOutage } from '../../../src/relay/ingest/write-batch.js'
import { createFakeClock } from '../../support/fake-clock.js'

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

test('an outage counts for half a minute of time that passed, whatever the wall clock says', async () => {
  const clock = createFakeClock()
  const outage = createWriteOutage({ clock, log: silent })
  outage.failed(new Error('disk full'))
  clock.jump(3_600_000)
  expect(outage.isOn()).toBe(true)
  await clock.advance(30_000)
  expect(outage.isOn()).toBe(false)
})
