// Compares matches with the event's text, because indexes hold only 48 bits of a value.
import {
  authorAt,
  createdAt,
  hasTagAt,
  idAt,
  kindAt,
  type TagHead,
  tagHead,
  writtenValue,
} from '../../../nostr/event/index.js'
import type { Filter } from '../../../nostr/filter/index.js'
import type { QueryPlan } from './plan.js'

/** True when the text from `start` to `end` matches. */
export type TextCheck = (bytes: Buffer, start: number, end: number) => boolean

/** Checks the conditions that the plan's ranges leave open; undefined: none. */
export function textCheckFor(filter: Filter, plan: Pick<QueryPlan, 'by' | 'kinds'>): TextCheck | undefined {
  const { ids, authors, kinds, tags, since, until } = filter
  const checks: TextCheck[] = []
  if (ids) checks.push(isIn(ids, idAt))
  if (authors) checks.push(isIn(authors, authorAt))
  if (kinds && plan.kinds === undefined) checks.push(isIn(kinds, kindAt))
  if (plan.by === 'id') {
    if (since !== undefined || until !== undefined)
      checks.push(isBetween(since ?? 0, until ?? Number.POSITIVE_INFINITY))
  }
  for (const { letter, values } of tags) checks.push(hasTag(letter, values))
  const [only, second] = checks
  if (!second) return only
  return (bytes, start, end) => checks.every((check) => check(bytes, start, end))
}

/** Checks all conditions of the filter. */
export const wholeCheckFor = (filter: Filter): TextCheck =>
  textCheckFor(filter, { by: 'id', kinds: undefined }) ?? (() => true)

function isIn<T>(values: readonly T[], read: (bytes: Buffer, start: number) => T): TextCheck {
  const [only] = values
  if (values.length === 1) return (bytes, start) => read(bytes, start) === only
  const all = new Set(values)
  return (bytes, start) => all.has(read(bytes, start))
}

const isBetween =
  (since: number, until: number): TextCheck =>
  (bytes, start) => {
    const time = createdAt(bytes, start)
    return time >= since && time <= until
  }

function hasTag(letter: string, values: readonly string[]): TextCheck {
  const head = headOf(letter)
  const written = new Set(values.map(writtenValue))
  return (bytes, start, end) => hasTagAt(bytes, start, end, head, written)
}

/** One entry per letter. */
const heads = new Map<string, TagHead>()

function headOf(letter: string): TagHead {
  const known = heads.get(letter)
  if (known !== undefined) return known
  const made = tagHead(letter)
  heads.set(letter, made)
  return made
}
