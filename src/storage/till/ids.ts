// Short ids: a range of the index that every table has of its ids.
import type { IdSearch, SearchableId } from '../../till/index.js'
import { text } from '../sqlite/columns.js'
import type { Sqlite } from '../sqlite/sqlite.js'

/** An event has a row for each receiver, all with its id. */
const idsOf = (table: string): string => `SELECT DISTINCT id FROM ${table} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`
const IDS: Readonly<Record<SearchableId, string>> = {
  invoice: idsOf('invoice'),
  payment: idsOf('payment'),
  event: idsOf('event'),
}

/** Ids are ASCII: what begins with the prefix is before the prefix and the highest character there is. */
export const idVerbs = (db: Sqlite): IdSearch => ({
  idsLike: async (kind, prefix, limit) =>
    db.all(IDS[kind], [prefix, `${prefix}\u{10ffff}`, limit]).map(([id = null]) => text.read(id)),
})
