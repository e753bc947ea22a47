// What the operator looks at.
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
} from '../../names/list-sources.js'
import type { ListVerbs } from '../../names/lists.js'
import { hexCell, textCell } from '../../sqlite/columns.js'
import { createPages } from '../pages.js'
import type { Transactions } from '../transactions.js'
import { GRANT, NAME, OFFER } from './tables.js'

/** Two partial indexes together cover every row of a key. */
const OF_KEY = `name IN (
  SELECT name FROM name WHERE pubkey = ? AND released_at IS NULL
  UNION ALL SELECT name FROM name WHERE pubkey = ? AND released_at IS NOT NULL)`

export function listVerbs({ read }: Transactions): ListVerbs {
  const page = createPages(read)

  return {
    nameRecord: (name) =>
      read(async (db) => {
        const row = await db.get(`SELECT ${NAME.columns} FROM name WHERE name = ?`, [name])
        return row && NAME.read(row)
      }),
    listNames: (filter, limit, cursor) => page(namesSource(filter, OF_KEY), { limit, cursor }),
    listReserved: (limit, cursor) => page(RESERVED_SOURCE, { limit, cursor }),
    listOffers: (filter, limit, cursor) => page(offersSource(filter, OFFER), { limit, cursor }),
    listGrants: (filter, limit, cursor) => page(grantsSource(filter, GRANT), { limit, cursor }),
    idsLike: (kind, prefix, limit) =>
      read(async (db) =>
        kind === 'grant'
          ? (await db.all(GRANT_IDS, [...grantIdEnds(prefix), limit])).map(([id = null]) => textCell.read(id))
          : (await db.all(OFFER_IDS, [...offerIdEnds(prefix), limit])).map(([id = null]) => hexCell.read(id)),
      ),
    history: (filter, limit, cursor) => page(historySource(filter), { limit, cursor }),
  }
}
