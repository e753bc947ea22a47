// The read side of the event store.
import type { EventStore } from '../../relay/index.js'
import type { Sqlite } from '../sqlite.js'
import { createCount } from './count.js'
import type { Sources } from './cursor.js'
import { createDisk } from './disk.js'
import type { IndexKeys } from './index-keys.js'
import { createListSet } from './list-set.js'
import { createFind } from './read.js'
export interface ReaderParts extends Omit<Sources, 'disk'> {
  readonly gone: ReadonlyMap<number, IndexKeys>
  readonly db: Sqlite
}

export function createReader({ db, ...sources }: ReaderParts): Pick<EventStore, 'find' | 'count' | 'listSet'> {
  const find = createFind({ ...sources, disk: createDisk(db) })
  return { find, count: createCount(find), listSet: createListSet(find) }
}
