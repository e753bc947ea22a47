import { defineError } from '../lib/errors.js'

export const priceUnavailable = defineError('RATE_UNAVAILABLE', {
  status: 502,
  text: (reason: string) => reason, // the till replaces it with the text of the wire
})

export const priceDisputed = defineError('RATE_DISPUTED', {
  status: 503,
  text: (finding: string) => finding, // as above
})
