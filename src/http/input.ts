// From unknown input to checked values; every refusal names the member.
import type { z } from 'zod'
import { isRawNumber } from '../lib/exact-json.js'
import { foreignText } from '../lib/foreign-text.js'
import { InvalidInput } from './errors.js'

/** Checks a JSON body. Throws INVALID_REQUEST with a JSON pointer for each refused member. */
export const parseBody = <T>(schema: z.ZodType<T>, value: unknown): T => parse(schema, value, '/')

/** Checks query parameters. Throws INVALID_REQUEST. */
export const parseQuery = <T>(schema: z.ZodType<T>, value: unknown): T => parse(schema, value, '?')

function parse<T>(schema: z.ZodType<T>, value: unknown, mark: '/' | '?'): T {
  // To zod a number that only its text describes is an object: neither a body nor a refusal may take it for one.
  const checked = schema.safeParse(isRawNumber(value) ? Number.NaN : value, { error: numberNamed })
  if (checked.success) return checked.data
  throw new InvalidInput(
    checked.error.issues.map(({ path, message }) => ({
      pointer: path.length === 0 ? '' : mark + path.join('/'),
      detail: describe(path.join('.'), message),
    })),
  )
}

/** Our own messages begin with the member's name already. */
function describe(name: string, message: string): string {
  if (name === '') return 'the body must be a JSON object'
  return message.startsWith(name) ? message : `${name}: ${message}`
}

const numberNamed: z.core.$ZodErrorMap = ({ code, input, ...issue }) =>
  code === 'invalid_type' && isRawNumber(input)
    ? `Invalid input: expected ${foreignText(issue.expected)}, received number`
    : undefined
