// Chooses the index keys of a filter: its most selective condition.
import type { Filter, TagCondition } from '../../nostr/filter/index.js'
import type { Key } from './filter-index.js'

/** The keys of a filter in the index, and the conditions that remain to be checked. */
export interface KeyChoice {
  /** A single letter stands for the tag of that name. */
  readonly by: 'ids' | 'authors' | 'kinds' | 'everything' | string
  readonly keys: readonly Key[]
  readonly rest: Filter
}

/** True for tags that name one event or one key, and not a topic that many share. */
const isNarrow = ({ letter }: TagCondition): boolean => letter === 'e' || letter === 'p'

/** Order of preference: ids, narrow tags, authors, other tags, kinds. */
export function chooseKeys(filter: Filter): KeyChoice {
  if (filter.ids) return byIds(filter.ids, filter)
  const narrow = filter.tags.find(isNarrow)
  if (narrow) return byTag(narrow, filter)
  if (filter.authors) return byAuthors(filter.authors, filter)
  const [tag] = filter.tags
  if (tag) return byTag(tag, filter)
  if (filter.kinds) return byKinds(filter.kinds, filter)
  return { by: 'everything', keys: [''], rest: filter }
}

const byIds = (keys: readonly string[], { ids: _, ...rest }: Filter): KeyChoice => ({ by: 'ids', keys, rest })
const byAuthors = (keys: readonly string[], { authors: _, ...rest }: Filter): KeyChoice => ({
  by: 'authors',
  keys,
  rest,
})
const byKinds = (keys: readonly number[], { kinds: _, ...rest }: Filter): KeyChoice => ({ by: 'kinds', keys, rest })
const byTag = (tag: TagCondition, filter: Filter): KeyChoice => ({
  by: tag.letter,
  keys: tag.values,
  rest: { ...filter, tags: filter.tags.filter((other) => other !== tag) },
})
