// What the operator looks at.
import type { NameFilter, OperatorStore } from '../../authority/index.js'
import { readPage } from '../paging.js'
import { hexCell, textCell } from '../sqlite/columns.js'
import type { Sqlite } from '../sqlite/sqlite.js'
import {
  GRANT_IDS,
  grantIdEnds,
  grantsSource,
  historySource,
  namesSource,
  OFFER_IDS,
  offerIdEnds,
  offersSource,
  RESERVED_SOURCE,
} from './list-sources.js'
import { GRANT, NAME, OFFER } from './tables.js'

export type ListVerbs = Pick<
  OperatorStore,
  'nameRecord' | 'listNames' | 'listReserved' | 'listOffers' | 'listGrants' | 'idsLike' | 'history'
>

/** Two partial indexes together cover every row of a key. */
const OF_KEY = `name IN (
  SELECT name FROM name INDEXED BY name_of_key WHERE pubkey = ? AND released_at IS NULL
  UNION ALL SELECT name FROM name INDEXED BY name_former_key WHERE pubkey = ? AND released_at IS NOT NULL)`

/** Without the name of the index, SQLite would read released names too: they are in the same order. */
const namesFor = ({ status, pubkey }: NameFilter): string =>
  status === 'active' && pubkey === undefined ? 'name INDEXED BY name_held' : 'name'

/** The verbs on one connection. */
export function listVerbs(db: Sqlite): ListVerbs {
  return {
    async nameRecord(name) {
      const row = db.get(`SELECT ${NAME.columns} FROM name WHERE name = ?`, [name])
      return row && NAME.read(row)
    },
    listNames: async (filter, limit, cursor) =>
      readPage(db, { ...namesSource(filter, OF_KEY), from: namesFor(filter) }, { limit, cursor }),
    listReserved: async (limit, cursor) => readPage(db, RESERVED_SOURCE, { limit, cursor }),
    listOffers: async (filter, limit, cursor) => readPage(db, offersSource(filter, OFFER), { limit, cursor }),
    listGrants: async (filter, limit, cursor) => readPage(db, grantsSource(filter, GRANT), { limit, cursor }),
    idsLike: async (kind, prefix, limit) =>
      kind === 'grant'
        ? db.all(GRANT_IDS, [...grantIdEnds(prefix), limit]).map(([id = null]) => textCell.read(id))
        : db.all(OFFER_IDS, [...offerIdEnds(prefix), limit]).map(([id = null]) => hexCell.read(id)),
    history: async (filter, limit, cursor) => readPage(db, historySource(filter), { limit, cursor }),
  }
}
