// The responses that the descriptions of several routes share.
import { z } from 'zod'
import { errorResponses, type Responses } from '../../http/index.js'
import { errorSchema } from '../../lib/api-schemas.js'

const ERRORS = {
  400: 'The request is not usable; `error` names the member.',
  401: 'The token is missing or wrong.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The invoice has expired or was cancelled.',
  413: 'The body is larger than 64 KiB.',
  415: 'The Content-Type is not understood.',
  422: 'A member that is not known here, or the Idempotency-Key came with another body before; `code` says which.',
  429: 'Too many requests; see Retry-After.',
  502: 'No exchange rate, or no node, is available.',
  503: 'Not configured, or not able to now.',
} as const

/** The error responses with these statuses. */
export const failing = errorResponses(ERRORS, errorSchema, {
  401: { 'WWW-Authenticate': 'Always `Bearer`.' },
  429: { 'Retry-After': 'Seconds to wait.' },
})

export const okPage: Responses = { 200: { description: 'The page.', schema: z.string(), contentType: 'text/html' } }

/** The errors of every route behind a token. */
export const guarded = [401, 429, 503] as const
