// From unknown input to checked values; every refusal names the member.
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { nearestMember } from '../lib/nearest.js'
import { isRawNumber } from '../lib/parse-json.js'
import { foreignText } from '../lib/plain-text.js'
import { badIdempotencyKey, InvalidInput, idempotencyInFlight, UnknownMembers } from './errors.js'
import { canonicalJson, type Json } from './json.js'

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

// A misspelt member must not pass as an absent one: what a route does not know is refused with the nearest name that it knows.
/** The schemas of a route's body and query; absent: none is accepted. */
interface Known {
  readonly body?: { readonly schema: z.ZodType }
  readonly query?: z.ZodObject
}

/** Unknown members that a refusal names; a body of 64 KiB can hold thousands. */
const MOST_NAMED = 20
const MOST_SHOWN = 40

/**
 * Makes the check of one route: it throws UNKNOWN_MEMBER for a member of a JSON body that its schema lacks, and for a query parameter
 * where the route has some. What is no object is left to the route's own check. `remedy` ends the hint.
 */
export function createUnknownCheck({ body, query }: Known, remedy: string) {
  const members = namesOf(body?.schema)
  const parameters = namesOf(query)

  return (sent: { readonly body: unknown; readonly query: unknown }): void => {
    const { body: bodySent, query: asked } = sent
    const inBody = strangersIn(bodySent, members).map((name) => refusal(`/${name}`, name, members, parameters))
    const inQuery = query ? strangersIn(asked, parameters).map((name) => refusal(`?${name}`, name, parameters)) : []
    const refused = [...inBody, ...inQuery].slice(0, MOST_NAMED)
    if (refused.length > 0) throw new UnknownMembers(refused, hintOf(inBody.length > 0 ? members : parameters, remedy))
  }
}

const namesOf = (schema: z.ZodType | undefined): readonly string[] =>
  schema && 'shape' in schema ? Object.keys(schema.shape as object) : []

const strangersIn = (value: unknown, known: readonly string[]): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value)
    ? Object.keys(value).filter((name) => !known.includes(name))
    : []

function refusal(pointer: string, name: string, known: readonly string[], inAddress: readonly string[] = []) {
  const shown = name.length > MOST_SHOWN ? `${name.slice(0, MOST_SHOWN)}…` : name
  const meant = nearestMember(name, known)
  const remedy = inAddress.includes(name)
    ? `; it belongs into the address: ?${name}=`
    : meant === undefined
      ? ''
      : `; did you mean "${meant}"?`
  return { pointer: pointer.slice(0, MOST_SHOWN + 1), detail: `unknown member "${shown}"${remedy}` }
}

const hintOf = (known: readonly string[], remedy: string): string =>
  `${known.length === 0 ? 'nothing is read here: leave it out' : `known here: ${known.join(', ')}`}${remedy}`

// Repeating a request must not repeat its effect: the header, the body's digest, and the lock while the first request runs.
/** Reads the header `Idempotency-Key`: 1 to 128 visible ASCII characters. Throws INVALID_IDEMPOTENCY_KEY. */
export function idempotencyKeyOf(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  const key = String(header)
  if (!/^[\x21-\x7e]{1,128}$/.test(key)) throw badIdempotencyKey()
  return key
}

/** Hex SHA-256 of the body: equal for bodies that differ only in spaces and the order of members. */
export const bodyDigest = (body: Json): string => createHash('sha256').update(canonicalJson(body)).digest('hex')

/** Runs one piece of work per key at a time. Throws IDEMPOTENCY_IN_FLIGHT for a second one meanwhile. */
export function createInFlight() {
  const keys = new Set<string>()
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (keys.has(key)) throw idempotencyInFlight()
    keys.add(key)
    try {
      return await work()
    } finally {
      keys.delete(key)
    }
  }
}
