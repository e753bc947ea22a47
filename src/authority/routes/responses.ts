// The responses that the descriptions of several routes share.
import type { z } from 'zod'
import type { OperationResponse } from '../../http/index.js'
import { authorityErrorSchema, heldSchema, paymentDueSchema } from './schemas.js'

type Responses = Record<number, OperationResponse>

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
type ErrorStatus = keyof typeof ERRORS

const errorResponse = (status: ErrorStatus): OperationResponse => ({
  description: ERRORS[status],
  schema: authorityErrorSchema,
  ...(status === 429 && { headers: { 'Retry-After': 'Seconds to wait.' } }),
})

/** The error responses with these statuses. */
export const failing = (...statuses: readonly ErrorStatus[]): Responses =>
  Object.fromEntries(statuses.map((status) => [status, errorResponse(status)]))

/** The success response, with its schema. */
export const ok = (description: string, schema: z.ZodType): Responses => ({ 200: { description, schema } })

export const created = (description: string, schema: z.ZodType): Responses => ({ 201: { description, schema } })

export const paymentDue: Responses = { 402: { description: 'The invoice to pay first.', schema: paymentDueSchema } }
export const conflict: Responses = { 409: { description: ERRORS[409], schema: heldSchema } }
