import { defineError } from '../../lib/errors.js'

export const tooManyRequests = defineError('RATE_LIMITED', {
  status: 429,
  text: () => 'rate-limited: slow down',
  hint: 'wait for the seconds in Retry-After',
})
