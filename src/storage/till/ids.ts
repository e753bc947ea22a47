// Which ids begin with what an operator typed.
import type { IdSearch, SearchableId } from '../../till/index.js'
import { endOfPrefix } from '../paging.js'
import { textCell } from '../sqlite/columns.js'
import { many, type Runner } from '../verbs.js'

/** An event has a row for each receiver, all with its id. */
const idsOf = (table: string): string => `SELECT DISTINCT id FROM ${table} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`
const IDS: Readonly<Record<SearchableId, string>> = {
  invoice: idsOf('invoice'),
  payment: idsOf('payment'),
  event: idsOf('event'),
}

/** Ids are ASCII: what begins with the prefix is before the prefix and the highest character there is. */
export const idVerbs = ({ read }: Runner): IdSearch => ({
  idsLike: (kind, prefix, limit) =>
    read(() => many(IDS[kind], [prefix, endOfPrefix(prefix), limit], ([id = null]) => textCell.read(id))),
})
