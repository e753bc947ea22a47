import { expect, test } from 'vitest'
import { remedyForAlarm, remedyForPart } from '../../../src/till/console/remedies.js'

test.each([
  ['wallet: two computations differ', undefined, /restart/],
  [
    'webhook receiver 2: shop.example has taken no delivery for more than an hour, 3 wait; …',
    '/webhooks?show=receiver-2',
    /repair/,
  ],
  [
    'webhook receiver 3: 1 delivery waits for it, but PAY_WEBHOOK_3_URL is not set; …',
    '/webhooks?show=receiver-3',
    /restart/,
  ],
  ['payment abc: its kernel came after invoice x was cancelled', '/payments/abc', /refund/],
  ['payment abc: its kernel is in block 7, but its output is not on the chain', '/payments/abc', /only one may run/],
  [
    'payment abc: it was confirmed in block 7, but its kernel and output are no longer on the chain',
    '/payments/abc',
    /Hold/,
  ],
  ['transaction of payment abc: given up, an input is spent or was never there; …', undefined, /new invoice/],
  ['clock: it jumped 9 minutes ahead; …', undefined, /set-ntp/],
  ['clock: it is 90 minutes ahead of the newest block that any node shows: …', '/network', /check node/],
])('%s', (alarm, href, text) => {
  const remedy = remedyForAlarm(alarm)
  expect(remedy?.text).toMatch(text)
  expect(remedy?.href).toBe(href)
})

test('what is not known has no remedy', () => {
  expect(remedyForAlarm('something new')).toBeUndefined()
  expect(remedyForPart('constructor')).toBeUndefined()
  expect(remedyForPart('node')?.href).toBe('/network')
})
