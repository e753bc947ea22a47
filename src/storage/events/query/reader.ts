// The read side of the event store.
import type { EventStore } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { createSearchDisk } from '../search/search-disk.js'
import { createSearchFind } from '../search/search-find.js'
import type { SearchIndex } from '../search/search-index.js'
import { createCount } from './count.js'
import type { Sources } from './cursor.js'
import { createDisk } from './disk.js'
import { createFind } from './find.js'
import { createListSet } from './list-set.js'

export interface ReaderParts extends Omit<Sources, 'disk'> {
  readonly db: Sqlite
  /** Undefined: no filter has a search. */
  readonly search?: SearchIndex
}

export function createEventQueries({
  db,
  search,
  ...others
}: ReaderParts): Pick<EventStore, 'find' | 'count' | 'listSet'> {
  const sources = { ...others, disk: createDisk(db) }
  const ordinary = createFind(sources)
  const { now } = others
  const find = search ? createSearchFind(ordinary, { disk: createSearchDisk(db), index: search, now }) : ordinary
  return { find, count: createCount(sources, find), listSet: createListSet(find) }
}
