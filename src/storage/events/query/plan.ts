// Chooses the index that answers a filter, and the checks left for texts. Pure: it does not query the database.

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
import type { Filter, TagCondition } from '../../../nostr/filter/index.js'
import { firstPlaceOf, LAST_TIME, lastPlaceOf, prefixOf, tagHash } from '../index/index-keys.js'

/** Rows of one index table, in ranges of places. */
export interface QueryPlan {
  readonly by: 'id' | 'tag' | 'author' | 'kind' | 'time'
  /** Distinct values of the table's first column: id prefixes, tag hashes, key prefixes; empty for kinds and time. */
  readonly first: readonly number[]
  /** Absent: all kinds. The table by ids has no kinds. */
  readonly kinds: readonly number[] | undefined
  /** Places, both included. */
  readonly newest: number
  readonly oldest: number
  /** True when the rows of these ranges are the matches, apart from collisions of 48 bits. */
  readonly exact: boolean
}

/** Number of ranges of a plan; one for each unrestricted column. */
export const searchesOf = ({ first, kinds }: QueryPlan): number => Math.max(first.length, 1) * (kinds?.length ?? 1)

/** How one table could answer a filter. */
type IndexChoice = Pick<QueryPlan, 'by' | 'first' | 'kinds' | 'exact'>

/** In order of preference: earlier ones usually leave fewer rows. */
const INDEX_CHOICES: readonly ((filter: Filter) => IndexChoice | undefined)[] = [
  byIds,
  (filter) => byTags(filter, (letter) => NARROW.has(letter)),
  byAuthors,
  (filter) => byTags(filter, (letter) => letter === 'p' || letter === 'P'),
  (filter) => byTags(filter, () => true),
  byKinds,
]

/** Letters whose values name one event or address: their lists are short. Anyone can lengthen a tag's list, but not an author's. */
const NARROW: ReadonlySet<string> = new Set('eEaAqiI')

const EVERYTHING: IndexChoice = { by: 'time', first: [], kinds: undefined, exact: true }

/** Undefined when no event can match. */
export function planFor(filter: Filter): QueryPlan | undefined {
  const { since = 0, until = LAST_TIME } = filter
  if (since > until || since > LAST_TIME || filter.limit === 0) return undefined
  const { by, first, kinds, exact } = withFewSearches(chooseIndex(filter))
  // No spread here: it costs microseconds and long-lived garbage.
  return {
    by,
    first,
    kinds,
    exact,
    newest: lastPlaceOf(Math.min(until, LAST_TIME)),
    oldest: firstPlaceOf(Math.max(since, 0)),
  }
}

function chooseIndex(filter: Filter): IndexChoice {
  for (const choice of INDEX_CHOICES) {
    const made = choice(filter)
    if (made) return made
  }
  return EVERYTHING
}

/** Beyond this many pairs of first value and kind, kinds are compared with the texts. */
const MAX_PAIRS = 32_768

function withFewSearches(choice: IndexChoice): IndexChoice {
  const { by, first, kinds } = choice
  return first.length * (kinds?.length ?? 0) > MAX_PAIRS ? { by, first, kinds: undefined, exact: false } : choice
}

function byIds({ ids }: Filter): IndexChoice | undefined {
  return ids && { by: 'id', first: distinct(ids.map(prefixOf)), kinds: undefined, exact: false }
}

function byTags({ tags, kinds, authors }: Filter, suits: (letter: string) => boolean): IndexChoice | undefined {
  const fewest = fewestValues(tags, suits)
  if (!fewest) return undefined
  const { letter, values } = fewest
  const first = distinct(values.map((value) => tagHash(letter, value)))
  return { by: 'tag', first, kinds, exact: tags.length === 1 && !authors }
}

/** The first condition with the fewest values. */
function fewestValues(tags: Filter['tags'], suits: (letter: string) => boolean): TagCondition | undefined {
  let fewest: TagCondition | undefined
  for (const tag of tags)
    if (suits(tag.letter) && (fewest === undefined || tag.values.length < fewest.values.length)) fewest = tag
  return fewest
}

function byAuthors({ authors, kinds, tags }: Filter): IndexChoice | undefined {
  return authors && { by: 'author', first: distinct(authors.map(prefixOf)), kinds, exact: tags.length === 0 }
}

/** Used only without a narrower condition. */
function byKinds({ kinds }: Filter): IndexChoice | undefined {
  return kinds && { by: 'kind', first: [], kinds, exact: true }
}

const distinct = (values: readonly number[]): readonly number[] => (values.length > 1 ? [...new Set(values)] : values)

// Estimates what a statement costs, to decide which thread runs it. Measured with a million events on Node 20.

/** Microseconds per range, by table. Ids are looked up, not searched. */
const SEARCH_US: Readonly<Record<QueryPlan['by'], number>> = { id: 0, tag: 3, author: 3, kind: 3, time: 3 }

/**
 * A hand-over costs the main thread 15 µs and both threads 60 µs, more on a busy machine. Rows do not count: to copy texts between threads costs
 * what reading them would save. Measured: 60 searches (profiles) and the newest 500 events relieved the main thread by a quarter to a half, but
 * took up to 40 % more of the processor; 200 searches (a feed) relieved it by 60 % and took no more.
 */
const DEAR_US = 300
/** Below this many events every statement is short. */
export const MANY_EVENTS = 5000

/** Estimated microseconds to search all ranges of a plan. */
export const costOf = (plan: QueryPlan): number => searchesOf(plan) * SEARCH_US[plan.by]

export const isDear = (plan: QueryPlan): boolean => costOf(plan) >= DEAR_US

// Compares matches with the event's text, because indexes hold only 48 bits of a value.

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
