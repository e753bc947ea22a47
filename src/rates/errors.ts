import { defineError } from '../lib/errors.js'

export const priceUnavailable = defineError('RATE_UNAVAILABLE', {
  status: 502,
  text: (reason: string) => reason, // the till replaces it with the text of the wire
})
