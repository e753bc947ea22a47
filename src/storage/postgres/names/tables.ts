// How the rows of a name authority stand in PostgreSQL: as in a file, but for amounts.

import { PLACES, type Places } from '../../names/row-kinds.js'
import * as file from '../../names/tables.js'
import { numericAmountCell } from '../../sqlite/columns.js'

export { ACTIVE, NAME } from '../../names/tables.js'

export const GRANT = file.GRANT.with({ amount: ['amount', numericAmountCell] })
export const OFFER = file.OFFER.with({ price: ['price', numericAmountCell] })
export const TRANSFER = file.TRANSFER.with({ price: ['price', numericAmountCell] })

/** The rows that export and `store move` carry. */
export const POSTGRES_PLACES: Places = {
  ...PLACES,
  grant: { ...PLACES.grant, table: GRANT },
  offer: { ...PLACES.offer, table: OFFER },
  transfer: { ...PLACES.transfer, table: TRANSFER },
}
