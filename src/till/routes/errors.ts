// What the routes themselves refuse; the till's verbs have their own catalogue.
import { defineError } from '../../lib/errors.js'

export const noSuchInvoice = defineError('INVOICE_NOT_FOUND', {
  status: 404,
  text: () => 'not found', // wire:
  hint: 'grinpay invoice list',
})
export const noSuchPage = defineError('INVOICE_NOT_FOUND', { status: 404, text: () => 'not found' }) // wire:
export const noSuchPayment = defineError('PAYMENT_NOT_FOUND', { status: 404, text: () => 'payment not found' }) // wire:
export const noSuchUser = defineError('USER_NOT_FOUND', { status: 404, text: () => 'user not found' }) // wire:
export const noSuchDelivery = defineError('DELIVERY_NOT_FOUND', {
  status: 404,
  text: (id: string) => `no webhook event ${id.slice(0, 64)}`,
  hint: 'grinpay webhook list',
})
