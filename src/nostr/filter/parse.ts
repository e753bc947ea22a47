// Parses filters from the wire (NIP-01), with exact types and bounds, and names the wrong value to the client.
import { isLowerHex } from '../../lib/bytes.js'
import { plainText } from '../../lib/plain-text.js'
import type { Filter, TagCondition } from './filter.js'

export interface FilterLimits {
  /** Maximum number of values in all lists of a filter, duplicates included. */
  readonly maxValues: number
}

/** A short text for the client, on one line. */
export interface FilterProblem {
  readonly problem: string
}

/**
 * Matches nothing, because its time range is empty. Replaces every filter with an empty list, and every `search`: the relay does not
 * support NIP-50, and a filter without its `search` would return events that the client did not request.
 */
export const NOTHING: Filter = { tags: [], since: 1, until: 0, limit: 0 }

class Misfit extends RangeError {}

type Draft = { -readonly [Name in keyof Filter]: Filter[Name] } & {
  tags: TagCondition[]
  isNothing: boolean
  room: number
}

const KEY_DIGITS = 64
const TAG = /^#[A-Za-z]$/
const MAX_KIND = 65_535
const SHOWN = 40

/**
 * Parses a filter. Numbers are non-negative integers; ids, authors, `#e` and `#p` are complete keys. Removes duplicates, and ignores
 * members that NIP-01 does not define.
 */
export function parseFilter(value: unknown, { maxValues }: FilterLimits): Filter | FilterProblem {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { problem: 'a filter is an object' }
  const draft: Draft = { tags: [], isNothing: false, room: maxValues }
  try {
    for (const [name, given] of Object.entries(value)) readMember(draft, name, given)
  } catch (error) {
    if (error instanceof Misfit) return { problem: error.message }
    throw error
  }
  const { isNothing, room: _, ...filter } = draft
  return isNothing ? NOTHING : filter
}

function readMember(draft: Draft, name: string, given: unknown): void {
  switch (name) {
    case 'ids':
    case 'authors':
      draft[name] = listOf(draft, name, given, KEYS)
      return
    case 'kinds':
      draft.kinds = listOf(draft, name, given, KINDS)
      return
    case 'since':
    case 'until':
    case 'limit':
      draft[name] = numberOf(name, given)
      return
    case 'search':
      draft.isNothing = true
      return
    default:
      if (TAG.test(name)) draft.tags.push(conditionOf(draft, name, given))
  }
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

const conditionOf = (draft: Draft, name: string, given: unknown): TagCondition => ({
  letter: name.slice(1),
  values: listOf(draft, name, given, name === '#e' || name === '#p' ? KEYS : TEXTS),
})

function listOf<T>(draft: Draft, name: string, given: unknown, { accepts, wanted }: Values<T>): readonly T[] {
  if (!Array.isArray(given)) throw new Misfit(`${name} is a list, not ${shown(given)}`)
  draft.room -= given.length
  if (draft.room < 0) throw new Misfit(`too many values, with ${name}`)
  const values: readonly unknown[] = given
  if (!values.every(accepts))
    throw new Misfit(`${name} holds ${wanted}, not ${shown(values.find((one) => !accepts(one)))}`)
  if (values.length === 0) draft.isNothing = true
  return onceEach(values)
}

/** Below this length, comparison is faster than hashing. */
const SHORT = 6

function onceEach<T>(values: readonly T[]): readonly T[] {
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
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
