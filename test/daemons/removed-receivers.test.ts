// What waits for a receiver that is no longer in the settings ends at the next start, with the reason; the others go on.
import { expect, test } from 'vitest'
import { abandonRemovedReceivers } from '../../src/daemons/parts/removed-receivers.js'
import { createFakeTillStore } from '../support/fake-till-store.js'
import { anEvent } from '../support/till-builders.js'

test('only receivers that are not configured lose what waits, and the log counts it', async () => {
  const store = createFakeTillStore()
  const event = anEvent({ receivers: [1, 2, 3] })
  await store.insertEvent(event)
  const warnings: object[] = []
  const webhooks = [{ receiver: 2, url: 'https://shop.example/', compat: true }]
  await abandonRemovedReceivers(store, { webhooks }, { warn: (fields) => void warnings.push(fields) })
  expect(await store.deliveriesOf(event.eventId)).toMatchObject([
    { receiver: 1, state: 'abandoned', lastError: 'receiver 1 is not configured any more (PAY_WEBHOOK_URL)' },
    { receiver: 2, state: 'pending', lastError: null },
    { receiver: 3, state: 'abandoned', lastError: 'receiver 3 is not configured any more (PAY_WEBHOOK_3_URL)' },
  ])
  expect(warnings).toEqual([
    { receiver: 1, abandoned: 1 },
    { receiver: 3, abandoned: 1 },
  ])
})
