import { expect, test } from 'vitest'
import { hasBearer } from '../../src/http/index.js'
import { Secret } from '../../src/lib/secret.js'

const tokens = [new Secret('pay_live_new'), new Secret('pay_live_old')]

test.each(['Bearer pay_live_new', 'bearer pay_live_old', 'BEARER   pay_live_new  ', 'bEaReR\tpay_live_new'])(
  '%j shows a token',
  (header) => expect(hasBearer(header, tokens)).toBe(true),
)

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'pay_live_new',
  'Basic pay_live_new',
  'Bearer pay_live_ne',
  'Bearer pay_live_neww',
  'Bearer pay_live_new, pay_live_old',
  'Bearerpay_live_new',
])('%j does not', (header) => expect(hasBearer(header, tokens)).toBe(false))

test('without a configured token nothing is one', () => {
  expect(hasBearer('Bearer ', [])).toBe(false)
  expect(hasBearer('Bearer undefined', [])).toBe(false)
})
