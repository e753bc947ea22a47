// One shape for every error: `error` for people and old clients, `code` for machines, the rest as RFC 9457 names it.
import { STATUS_CODES } from 'node:http'
import type { ErrorView, FieldError } from '../lib/api-schemas.js'
import { GrinpayError } from '../lib/errors.js'
import { InvalidInput, UnknownMembers } from './errors.js'

interface PublicError {
  readonly code: string
  readonly status: number
  readonly text: string
  readonly hint?: string | undefined
  readonly fields?: readonly FieldError[]
}

/** Errors of the framework with our texts. Its other 4xx keep their status and own text. */
const FRAMEWORK: Readonly<Record<string, PublicError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'BODY_TOO_LARGE', status: 413, text: 'the body is larger than 64 KiB' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    text: 'this Content-Type is not understood here',
    hint: 'send the type that this address reads; openapi.json names it',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'INVALID_CONTENT_LENGTH',
    status: 400,
    text: 'the body is not as long as Content-Length says',
  },
  FST_ERR_BAD_URL: { code: 'INVALID_URL', status: 400, text: 'the address holds a broken % escape' },
}
const INTERNAL: PublicError = { code: 'INTERNAL', status: 500, text: 'internal error' } // wire: never more than this

/** The public form of an error. An unexpected error shows nothing but INTERNAL. */
export function problemOf(error: unknown, requestId: string): ErrorView {
  const publicError = publicErrorOf(error)
  const own: ErrorView = {
    error: publicError.text,
    code: publicError.code,
    type: 'about:blank',
    title: STATUS_CODES[publicError.status] ?? 'Error',
    status: publicError.status,
    detail: publicError.text,
    instance: requestId,
    ...(publicError.hint !== undefined && { hint: publicError.hint }),
    ...(publicError.fields && { errors: publicError.fields }),
  }
  // Behind the usual members, and never in place of one.
  return { ...own, ...(error instanceof GrinpayError && error.members), ...own }
}

/** The HTTP status of an error. */
export const statusOf = (error: unknown): number => publicErrorOf(error).status

function publicErrorOf(error: unknown): PublicError {
  if (error instanceof GrinpayError) {
    const own = { code: error.code, status: error.status, text: error.message, hint: error.hint }
    return error instanceof InvalidInput || error instanceof UnknownMembers ? { ...own, fields: error.fields } : own
  }
  if (!(error instanceof Error)) return INTERNAL
  const { code, statusCode }: Error & { code?: unknown; statusCode?: unknown } = error
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined
  if (known) return known
  const clientsFault = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  return clientsFault ? { code: 'BAD_REQUEST', status: statusCode, text: error.message } : INTERNAL
}

/** `application/problem+json` for those who ask for it rather than for plain JSON. */
export function problemContentType(accept: string | undefined): string {
  const problem = preference(accept, 'application/problem+json')
  return problem > preference(accept, 'application/json')
    ? 'application/problem+json; charset=utf-8'
    : 'application/json; charset=utf-8'
}

/** The q value an Accept header gives to exactly this type; 0 when it does not name it. */
export function preference(accept: string | undefined, type: string): number {
  for (const entry of accept?.split(',') ?? []) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const q = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    return Number.isFinite(q) ? q : 0
  }
  return 0
}
