// Which index answers a filter, and what is then left to be compared with the texts. Values in, values out: nothing is asked of the database.
import type { Filter } from '../../../nostr/filter/index.js'
import { firstPlaceOf, LAST_TIME, lastPlaceOf, prefixOf, tagHash } from '../index/key-numbers.js'

/** Rows of one index table, in ranges of places. */
export interface QueryPlan {
  readonly by: 'id' | 'tag' | 'author' | 'kind' | 'time'
  /** Values of the table's first column, each once: beginnings of ids, hashes of tags, beginnings of keys; empty for kinds and time. */
  readonly first: readonly number[]
  /** Absent: all kinds. The table by ids has none. */
  readonly kinds: readonly number[] | undefined
  /** Places, both included. */
  readonly newest: number
  readonly oldest: number
  /** Whether the rows of these ranges are the matches, but for values whose 48 bits agree. */
  readonly exact: boolean
}

/** What one table can offer. */
type IndexChoice = Pick<QueryPlan, 'by' | 'first' | 'kinds' | 'exact'>

/** In the order of preference: what comes first leaves the fewest rows, as a rule. */
const INDEX_CHOICES: readonly ((filter: Filter) => IndexChoice | undefined)[] = [
  byIds,
  (filter) => byTags(filter, (letter) => NARROW.has(letter)),
  byAuthors,
  (filter) => byTags(filter, (letter) => letter === 'p' || letter === 'P'),
  (filter) => byTags(filter, () => true),
  byKinds,
]

/** Letters whose values name one event or address: their lists are short. Everybody may lengthen a list by tag, nobody else's an author's. */
const NARROW: ReadonlySet<string> = new Set('eEaAqiI')

const EVERYTHING: IndexChoice = { by: 'time', first: [], kinds: undefined, exact: true }

/** Undefined when nothing can match. */
export function planFor(filter: Filter): QueryPlan | undefined {
  const { since = 0, until = LAST_TIME } = filter
  if (since > until || since > LAST_TIME || filter.limit === 0) return undefined
  const { by, first, kinds, exact } = withFewSearches(chooseIndex(filter))
  // Written out: spreading objects here costs microseconds, and garbage that outlives the young generation.
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

/** Beyond so many pairs of first value and kind the kinds are compared with the texts: somebody names thousands of both. */
const MAX_PAIRS = 32_768

function withFewSearches(choice: IndexChoice): IndexChoice {
  const { by, first, kinds } = choice
  return first.length * (kinds?.length ?? 0) > MAX_PAIRS ? { by, first, kinds: undefined, exact: false } : choice
}

function byIds({ ids }: Filter): IndexChoice | undefined {
  return ids && { by: 'id', first: distinct(ids.map(prefixOf)), kinds: undefined, exact: false }
}

function byTags({ tags, kinds, authors }: Filter, suits: (letter: string) => boolean): IndexChoice | undefined {
  const fewest = tags.filter(({ letter }) => suits(letter)).sort((a, b) => a.values.length - b.values.length)[0]
  if (!fewest) return undefined
  const first = distinct(fewest.values.map((value) => tagHash(fewest.letter, value)))
  return { by: 'tag', first, kinds, exact: tags.length === 1 && !authors }
}

function byAuthors({ authors, kinds, tags }: Filter): IndexChoice | undefined {
  return authors && { by: 'author', first: distinct(authors.map(prefixOf)), kinds, exact: tags.length === 0 }
}

/** Reached only when there is nothing narrower. */
function byKinds({ kinds }: Filter): IndexChoice | undefined {
  return kinds && { by: 'kind', first: [], kinds, exact: true }
}

const distinct = (values: readonly number[]): readonly number[] => (values.length > 1 ? [...new Set(values)] : values)
