// How a transaction that goes to the node is read.
import type { Push } from '../../till/index.js'
import { integerCell, textCell } from '../sqlite/columns.js'
import type { Row } from '../sqlite/sqlite.js'

export const PUSH_COLUMNS = 'payment_id, body, attempts'

export const readPush = ([paymentId = null, body = null, attempts = null]: Row): Push => ({
  paymentId: textCell.read(paymentId),
  transaction: textCell.read(body),
  attempts: integerCell.read(attempts),
})
