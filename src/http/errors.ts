// What HTTP itself refuses. Texts marked `wire:` are read by existing clients.

import type { FieldError } from '../lib/api-schemas.js'
import { defineError, GrinpayError } from '../lib/errors.js'

export const unauthorized = defineError('UNAUTHORIZED', {
  status: 401,
  text: () => 'unauthorized', // wire:
  hint: 'send the header "Authorization: Bearer <token>"',
})
export const tokenNotConfigured = defineError('TOKEN_NOT_CONFIGURED', {
  status: 503,
  text: (which: 'api' | 'admin') => `${which} token not configured`, // wire:
  hint: 'set the token in the settings of the till and restart it',
})
export const rateLimited = defineError('RATE_LIMITED', {
  status: 429,
  text: () => 'rate limited', // wire:
  hint: 'retry after the seconds in Retry-After',
})
export const notFound = defineError('NOT_FOUND', {
  status: 404,
  text: () => 'not found',
  hint: 'check the path against openapi.json',
}) // wire:
export const methodNotAllowed = defineError('METHOD_NOT_ALLOWED', {
  status: 405,
  text: (method: string, allow: string) => `${method} is not allowed here, only ${allow}`,
  hint: 'use one of the methods in the header Allow',
})
export const badJson = defineError('INVALID_JSON', {
  status: 400,
  text: (cause: string) => `the body is not usable JSON: ${cause}`,
  hint: 'send one JSON object',
})
export const badForm = defineError('INVALID_FORM', {
  status: 400,
  text: (cause: string) => `the form is not usable: ${cause}`,
  hint: 'send the fields of the page as application/x-www-form-urlencoded',
})
export const badIdempotencyKey = defineError('INVALID_IDEMPOTENCY_KEY', {
  status: 400,
  text: () => 'Idempotency-Key must be 1 to 128 visible ASCII characters',
  hint: 'use the order number of the shop',
})
export const idempotencyInFlight = defineError('IDEMPOTENCY_IN_FLIGHT', {
  status: 409,
  text: () => 'the first request with this Idempotency-Key is still running',
  hint: 'repeat after the seconds in Retry-After',
})
export const unsupportedMediaType = defineError('UNSUPPORTED_MEDIA_TYPE', {
  status: 415,
  text: (accepted: string) => `the body must be ${accepted}`,
  hint: 'set the header Content-Type to that type',
})
export const unsupportedEncoding = defineError('UNSUPPORTED_ENCODING', {
  status: 415,
  text: (encoding: string) => `Content-Encoding ${encoding} is not supported`,
  hint: 'send the body uncompressed',
})

/** Input with the right syntax and wrong content; the text names the first refused member. */
export class InvalidInput extends GrinpayError {
  constructor(readonly fields: readonly FieldError[]) {
    super('INVALID_REQUEST', fields[0]?.detail ?? 'invalid request', 400)
  }
}

/** Members that a route does not know; the text names the first. */
export class UnknownMembers extends GrinpayError {
  constructor(
    readonly fields: readonly FieldError[],
    hint: string,
  ) {
    super('UNKNOWN_MEMBER', fields[0]?.detail ?? 'unknown member', 422, hint)
  }
}
