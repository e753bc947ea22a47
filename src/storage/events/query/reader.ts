// The read side of the event store.
import type { EventStore } from '../../../relay/index.js'
import type { Sqlite } from '../../sqlite/sqlite.js'
import { createCount } from './count.js'
import type { Sources } from './cursor.js'
import { createDisk } from './disk.js'
import { createFind } from './find.js'
import { createListSet } from './list-set.js'

export interface ReaderParts extends Omit<Sources, 'disk'> {
  readonly db: Sqlite
}

export function createEventQueries({ db, ...others }: ReaderParts): Pick<EventStore, 'find' | 'count' | 'listSet'> {
  const sources = { ...others, disk: createDisk(db) }
  const find = createFind(sources)
  return { find, count: createCount(sources, find), listSet: createListSet(find) }
}
