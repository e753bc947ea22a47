// What waits for a receiver that was taken out of the settings ends at the next start, with the reason. Settings without any receiver
// are a mistake, not a decision: then everything goes on waiting.
import { expect, test } from 'vitest'
import { abandonRemovedReceivers } from '../../src/daemons/parts/pay/removed-receivers.js'
import { quickTill } from '../support/quick-stores.js'
import { anEvent } from '../support/till-builders.js'

/** A start of a till with an event that waits for receivers 1 to 3. */
async function start(...receivers: readonly number[]) {
  const store = quickTill()
  const event = anEvent({ receivers: [1, 2, 3] })
  await store.insertEvent(event)
  const warnings: object[] = []
  const webhooks = receivers.map((receiver) => ({ receiver, url: 'https://shop.example/', compat: true }))
  await abandonRemovedReceivers(store, { webhooks }, { warn: (fields) => void warnings.push(fields) })
  return { deliveries: await store.deliveriesOf(event.eventId), warnings }
}

test('only receivers that are not configured lose what waits, and the log counts it', async () => {
  const { deliveries, warnings } = await start(2)
  expect(deliveries).toMatchObject([
    { receiver: 1, state: 'abandoned', lastError: 'receiver 1 is not configured any more (PAY_WEBHOOK_URL)' },
    { receiver: 2, state: 'pending', lastError: null },
    { receiver: 3, state: 'abandoned', lastError: 'receiver 3 is not configured any more (PAY_WEBHOOK_3_URL)' },
  ])
  expect(warnings).toEqual([
    { receiver: 1, abandoned: 1 },
    { receiver: 3, abandoned: 1 },
  ])
})

test('without any receiver in the settings nothing is given up', async () => {
  const { deliveries, warnings } = await start()
  expect(deliveries.map(({ state, attempts }) => [state, attempts])).toEqual([
    ['pending', 0],
    ['pending', 0],
    ['pending', 0],
  ])
  expect(warnings).toEqual([])
})
