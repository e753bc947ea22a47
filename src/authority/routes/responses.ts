// What the descriptions of routes are made of: schemas and shared responses. Loaded with the OpenAPI document only: zod is a third of all
// files that a start would load.
import type { z } from 'zod'
import { errorResponses, type Responses } from '../../http/index.js'
import { authorityErrorSchema, heldSchema, paymentDueSchema } from './schemas.js'

const ERRORS = {
  400: 'The request is not usable.',
  401: 'The NIP-98 event proves nothing for this request, or another key than needed.',
  403: 'Not with this name, or not with this key.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The offer is over.',
  413: 'The body is larger than 16 KiB.',
  429: 'Too many requests, or a name was changed a moment ago; see Retry-After.',
  500: 'The database failed.',
  503: 'The invoicing service cannot be asked now.',
} as const

/** The error responses with these statuses. */
export const failing = errorResponses(ERRORS, authorityErrorSchema, { 429: { 'Retry-After': 'Seconds to wait.' } })

export const created = (description: string, schema: z.ZodType): Responses => ({ 201: { description, schema } })

export const paymentDue: Responses = { 402: { description: 'The invoice to pay first.', schema: paymentDueSchema } }
export const conflict: Responses = { 409: { description: ERRORS[409], schema: heldSchema } }

export { z } from 'zod'
export { ok } from '../../http/index.js'
export * from './schemas.js'
