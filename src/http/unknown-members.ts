// A misspelt member must not pass as an absent one: what a route does not know is refused with the nearest name that it knows.
import type { z } from 'zod'
import { isRawNumber } from '../lib/exact-json.js'
import { nearestMember } from '../lib/nearest.js'
import { UnknownMembers } from './errors.js'

/** What a route takes; absent: nothing. */
interface Known {
  readonly body?: { readonly schema: z.ZodType }
  readonly query?: z.ZodObject
}

/** So many are named; a body of 64 KiB can hold thousands. */
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
