import { defineError } from '../lib/errors.js'

export const rateUnavailable = defineError('RATE_UNAVAILABLE', {
  status: 502,
  text: (reason: string) => `price oracle unavailable: ${reason}`, // wire
})
