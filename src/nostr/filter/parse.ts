// Parses filters from the wire (NIP-01), with exact types and bounds, and names the wrong value to the client.
import { isLowerHex } from '../../lib/bytes.js'
import { membersOf } from '../../lib/parse-json.js'
import { foreignText, plainText } from '../../lib/plain-text.js'
import { parseSearch } from '../search/index.js'
import type { Filter, TagCondition } from './filter.js'

export interface FilterLimits {
  /** Maximum number of values in all lists of a filter, duplicates included. */
  readonly maxValues: number
  /** Kinds whose texts can be searched (NIP-50). Absent: a search matches nothing. */
  readonly searchKinds?: readonly number[] | undefined
}

/** A short text for the client, on one line. */
export interface FilterProblem {
  readonly problem: string
}

/**
 * Matches nothing, because its time range is empty. Replaces every filter with an empty list, and every `search` where NIP-50 is off: a filter
 * without its `search` would return events that the client did not request.
 */
export const NOTHING: Filter = { tags: [], since: 1, until: 0, limit: 0 }

class Misfit extends RangeError {}

/** Every member is present, so that all filters have one shape: code that reads several shapes is slower. */
type Draft = { -readonly [Name in keyof Required<Filter>]: Filter[Name] } & { readonly tags: TagCondition[] }

interface Parsing {
  readonly filter: Draft
  isNothing: boolean
  room: number
  readonly searchKinds: readonly number[]
}

const KEY_DIGITS = 64
const TAG = /^#[A-Za-z]$/
const MAX_KIND = 65_535
const SHOWN = 40

/**
 * Parses a filter. Numbers are non-negative integers; ids, authors, `#e` and `#p` are complete keys. Removes duplicates, and ignores
 * members that NIP-01 does not define.
 */
export function parseFilter(value: unknown, { maxValues, searchKinds = [] }: FilterLimits): Filter | FilterProblem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'a filter is an object' }
  const members = membersOf(value)
  const filter: Draft = {
    ids: undefined,
    authors: undefined,
    kinds: undefined,
    tags: [],
    since: undefined,
    until: undefined,
    search: undefined,
    limit: undefined,
  }
  const parsing: Parsing = { filter, isNothing: false, room: maxValues, searchKinds }
  try {
    for (const name of Object.keys(members)) readMember(parsing, name, members[name])
    if (filter.search) restrictKinds(parsing)
  } catch (error) {
    if (error instanceof Misfit) return { problem: error.message }
    throw error
  }
  return parsing.isNothing ? NOTHING : filter
}

function readMember(parsing: Parsing, name: string, given: unknown): void {
  const { filter } = parsing
  switch (name) {
    case 'ids':
    case 'authors':
      filter[name] = listOf(parsing, name, given, KEYS)
      return
    case 'kinds':
      filter.kinds = listOf(parsing, name, given, KINDS)
      return
    case 'since':
    case 'until':
    case 'limit':
      filter[name] = numberOf(name, given)
      return
    case 'search':
      readSearch(parsing, given)
      return
    default:
      if (name.length === 2 && TAG.test(name)) filter.tags.push(conditionOf(parsing, name, given))
  }
}

/** A search without words, or where NIP-50 is off, matches nothing. */
function readSearch(parsing: Parsing, given: unknown): void {
  if (parsing.searchKinds.length === 0) {
    parsing.isNothing = true
    return
  }
  if (typeof given !== 'string') throw new Misfit(`search is a text, not ${shown(given)}`)
  const search = parseSearch(given)
  if (search === undefined) parsing.isNothing = true
  else if ('problem' in search) throw new Misfit(search.problem)
  else parsing.filter.search = search
}

/** A search reaches only the kinds whose texts are indexed. */
function restrictKinds(parsing: Parsing): void {
  const { filter, searchKinds } = parsing
  const { kinds } = filter
  filter.kinds = kinds === undefined ? searchKinds : searchKinds.filter((kind) => kinds.includes(kind))
  if (filter.kinds.length === 0) parsing.isNothing = true
}

/** The valid values of a list, and their description. */
interface Values<T> {
  readonly accepts: (value: unknown) => value is T
  readonly wanted: string
}

const KEYS: Values<string> = {
  accepts: (value): value is string => isLowerHex(value, KEY_DIGITS),
  wanted: '64 lower-case hex digits',
}
const KINDS: Values<number> = {
  accepts: (value): value is number => isCount(value) && value <= MAX_KIND,
  wanted: `whole numbers from 0 to ${MAX_KIND}`,
}
const TEXTS: Values<string> = {
  accepts: (value): value is string => typeof value === 'string',
  wanted: 'texts',
}

const conditionOf = (parsing: Parsing, name: string, given: unknown): TagCondition => ({
  letter: name.slice(1),
  values: listOf(parsing, name, given, name === '#e' || name === '#p' ? KEYS : TEXTS),
})

function listOf<T>(parsing: Parsing, name: string, given: unknown, { accepts, wanted }: Values<T>): readonly T[] {
  if (!Array.isArray(given)) throw new Misfit(`${name} is a list, not ${shown(given)}`)
  parsing.room -= given.length
  if (parsing.room < 0) throw new Misfit(`too many values, with ${name}`)
  const values: readonly unknown[] = given
  if (!values.every(accepts))
    throw new Misfit(`${name} holds ${wanted}, not ${shown(values.find((one) => !accepts(one)))}`)
  if (values.length === 0) parsing.isNothing = true
  return onceEach(values)
}

/** Below this length, comparison is faster than hashing. */
const SHORT = 6

function onceEach<T>(values: readonly T[]): readonly T[] {
  if (values.length === 1) return values
  if (values.length < SHORT) return values.filter((value, index) => values.indexOf(value) === index)
  const distinct = new Set(values)
  return distinct.size === values.length ? values : [...distinct]
}

function numberOf(name: string, given: unknown): number {
  if (!isCount(given)) throw new Misfit(`${name} is a whole number from 0 on, not ${shown(given)}`)
  return given
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(plainText(value.slice(0, SHOWN)))
  return foreignText(value)
}
