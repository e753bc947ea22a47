import { expect, test } from 'vitest'
import { address, cursorOf } from '../../../src/console/pages/address.js'
import { deliveryChoiceOf, fieldsOf, paymentChoiceOf, searchOf } from '../../../src/till/console/query.js'

test('a filter keeps what it understands', () => {
  const fields = fieldsOf({ q: `  ${'x'.repeat(200)} `, status: 'toString', from: '2026-02-30x', to: '2026-07-01' })
  expect(fields).toEqual({ q: 'x'.repeat(100), status: '', from: '', to: '2026-07-01' })
  expect(fieldsOf({})).toEqual({ q: '', status: '', from: '', to: '' })
})

test('days are UTC, and the last one counts whole', () => {
  expect(searchOf({ q: '', status: 'open', from: '2026-07-01', to: '2026-07-01' })).toEqual({
    text: '',
    status: 'open',
    from: Date.UTC(2026, 6, 1),
    to: Date.UTC(2026, 6, 2),
  })
})

test.each(['', '1', 'a-b', '1-2-3', '12345678901234567-1'])('%j is no cursor', (cursor) => {
  expect(cursorOf({ cursor })).toBeUndefined()
})

test('lists show everything when they are asked for what there is not', () => {
  expect(paymentChoiceOf({ show: 'constructor' })).toBe('all')
  expect(paymentChoiceOf({ show: 'waiting' })).toBe('waiting')
  expect(deliveryChoiceOf({ show: '__proto__' })).toEqual({ show: 'all', choice: { by: 'all' } })
  expect(deliveryChoiceOf({ show: 'receiver-9' }).show).toBe('all')
  expect(deliveryChoiceOf({ show: 'receiver-2' }).choice).toEqual({ by: 'receiver', receiver: 2 })
})

test('an address carries the filter, escaped', () => {
  expect(address('/invoices', { q: 'a&b="c"', status: '', cursor: undefined })).toBe(
    '/console/invoices?q=a%26b%3D%22c%22',
  )
  expect(address('/invoices', {})).toBe('/console/invoices')
})
