import { defineError } from '../lib/errors.js'

export const priceUnavailable = defineError('RATE_UNAVAILABLE', {
  status: 502,
  text: (reason: string) => reason, // the till says what it means for an invoice, in the words of the wire
})
