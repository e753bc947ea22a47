// The pure half of accepting: who may still pay, and what the store's answer means to the payer.
import { expect, test } from 'vitest'
import type { InvoiceStatus } from '../../../src/till/index.js'
import { type Acceptance, checkPayable, replyOf } from '../../../src/till/payments/acceptance.js'
import { anInvoice, aPayment, grin, HOUR, NOON } from '../../support/till-builders.js'
import { codeOf } from '../../support/vectors.js'

const slate = { amount: grin(2) } as Acceptance['slate']
const open = anInvoice({ amount: grin(2), expiresAt: NOON + HOUR })
const judge = (over: object, cutoff = NOON) => codeOf(() => checkPayable({ ...open, ...over }, slate, cutoff))

test.each([
  ['open until later', {}, 'ok'],
  ['without an end', { expiresAt: null }, 'ok'],
  ['ending at this very moment', { expiresAt: NOON }, 'INVOICE_EXPIRED'],
  ['ending a millisecond later', { expiresAt: NOON + 1 }, 'ok'],
  ['expired, but within the grace of its rail', { status: 'expired', expiresAt: NOON + 1 }, 'ok'],
  ['cancelled', { status: 'cancelled' }, 'INVOICE_CANCELLED'],
  ['paid', { status: 'paid', paymentId: 'x' }, 'INVOICE_ALREADY_PAID'],
  ['confirmed', { status: 'confirmed', paymentId: 'x' }, 'INVOICE_ALREADY_PAID'],
  ['expired, and keeping the memory of a payment', { status: 'expired', paymentId: 'x' }, 'INVOICE_EXPIRED'],
  ['over one nanogrin less', { amount: grin(1.999999999) }, 'SLATE_WRONG_AMOUNT'],
  ['over one nanogrin more', { amount: grin(2.000000001) }, 'SLATE_WRONG_AMOUNT'],
])('before a key is taken: an invoice %s is %s', async (_, over, code) => expect(await judge(over)).toBe(code))

test.each<[InvoiceStatus, string]>([
  ['expired', 'INVOICE_EXPIRED'],
  ['cancelled', 'INVOICE_CANCELLED'],
  ['paid', 'INVOICE_ALREADY_PAID'],
  ['confirmed', 'INVOICE_ALREADY_PAID'],
])('the store finds it %s after all: the payer reads %s', async (status, code) => {
  const acceptance = { slate, invoice: open } as Acceptance
  expect(await codeOf(() => replyOf({ outcome: 'not-open', status }, aPayment(), acceptance))).toBe(code)
})
