// How much there is in the database of names, for `grinpay status`.
import { integerCell } from '../sqlite/columns.js'
import type { Row, Sqlite } from '../sqlite/sqlite.js'

export interface NameTotals {
  /** Held names, suspended ones included. */
  readonly names: number
  readonly suspended: number
  /** Offers that can be claimed now. */
  readonly openOffers: number
  /** Grants whose invoice waits for its payment. */
  readonly pendingGrants: number
}

export const TOTALS = `SELECT
  (SELECT count(*) FROM name WHERE released_at IS NULL),
  (SELECT count(*) FROM name WHERE released_at IS NULL AND suspended_at IS NOT NULL),
  (SELECT count(*) FROM offer WHERE status = 'live'),
  (SELECT count(*) FROM paid_grant WHERE status = 'pending')`

export const nameTotals = (db: Sqlite): NameTotals => readTotals(db.get(TOTALS))

/** The row of `TOTALS`. */
export function readTotals(row: Row | undefined): NameTotals {
  const [names, suspended, openOffers, pendingGrants] = (row ?? []).map((value) => integerCell.read(value))
  return {
    names: names ?? 0,
    suspended: suspended ?? 0,
    openOffers: openOffers ?? 0,
    pendingGrants: pendingGrants ?? 0,
  }
}
