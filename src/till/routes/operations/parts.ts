// What the descriptions of routes share.
import { z } from 'zod'
import type { Answer } from '../../../http/index.js'
import * as schemas from '../schemas.js'

/** An HTML page. */
export const html: Answer = { description: 'The page.', schema: z.string(), contentType: 'text/html' }
const errors = {
  400: 'The request is not usable; `error` names the member.',
  401: 'The token is missing or wrong.',
  404: 'There is no such thing.',
  409: 'Not possible in the state it is in.',
  410: 'The invoice has expired or was cancelled.',
  413: 'The body is larger than 64 KiB.',
  415: 'The Content-Type is not understood.',
  422: 'The Idempotency-Key came with another body before.',
  429: 'Too many requests; see Retry-After.',
  502: 'No exchange rate, or no node, is available.',
  503: 'Not configured, or not able to now.',
} as const

/** The error answers with these statuses. */
export function failing(...statuses: readonly (keyof typeof errors)[]): Record<number, Answer> {
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: errors[status],
        schema: schemas.errorSchema,
        ...(status === 429 && { headers: { 'Retry-After': 'Seconds to wait.' } }),
        ...(status === 401 && { headers: { 'WWW-Authenticate': 'Always `Bearer`.' } }),
      },
    ]),
  )
}

/** The one success answer, with its schema. */
export const ok = (description: string, schema: z.ZodType): Record<number, Answer> => ({ 200: { description, schema } })
export const body = (schema: z.ZodType, required = true) => ({ schema, required })
/** What every route behind a token can answer. */
export const guarded = [401, 429, 503] as const
