import { defineError } from '../lib/errors.js'

export const rateUnavailable = defineError('RATE_UNAVAILABLE', {
  status: 502,
  text: (reason: string) => `price oracle unavailable: ${reason}`, // wire
})

export const rateSourceInvalid = defineError('RATE_SOURCE_INVALID', {
  status: 500,
  text: (why: string) => `PAY_RATE_SOURCE: ${why}`,
  hint: 'use coingecko, fixed:usd=0.021,eur=0.019 or an https address',
})
