// Which ids begin with a text: both kinds of database run the same statement.
import type { SearchableId } from '../../till/index.js'
import { endOfPrefix } from '../paging.js'
import type { SqlValue } from '../sqlite/sqlite.js'

/** An event has a row for each receiver, all with its id. */
const idsOf = (table: string): string => `SELECT DISTINCT id FROM ${table} WHERE id >= ? AND id < ? ORDER BY id LIMIT ?`
const IDS: Readonly<Record<SearchableId, string>> = {
  invoice: idsOf('invoice'),
  payment: idsOf('payment'),
  event: idsOf('event'),
}

/** Ids are ASCII: what begins with the prefix is before the prefix and the highest character there is. */
export const idsBy = (
  kind: SearchableId,
  prefix: string,
  limit: number,
): { readonly sql: string; readonly values: readonly SqlValue[] } => ({
  sql: IDS[kind],
  values: [prefix, endOfPrefix(prefix), limit],
})
