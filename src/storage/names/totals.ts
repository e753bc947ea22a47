// How much there is in the database of names, for `grinpay status`.
import { integerCell } from '../sqlite/columns.js'
import { get, type Verb } from '../verbs.js'

export interface NameTotals {
  /** Held names, suspended ones included. */
  readonly names: number
  readonly suspended: number
  /** Offers that can be claimed now. */
  readonly openOffers: number
  /** Grants whose invoice waits for its payment. */
  readonly pendingGrants: number
}

const TOTALS = `SELECT
  (SELECT count(*) FROM name WHERE released_at IS NULL),
  (SELECT count(*) FROM name WHERE released_at IS NULL AND suspended_at IS NOT NULL),
  (SELECT count(*) FROM offer WHERE status = 'live'),
  (SELECT count(*) FROM paid_grant WHERE status = 'pending')`

export function* nameTotals(): Verb<NameTotals> {
  const row = (yield* get(TOTALS)) ?? []
  const [names = 0, suspended = 0, openOffers = 0, pendingGrants = 0] = row.map((value) => integerCell.read(value))
  return { names, suspended, openOffers, pendingGrants }
}
