// How the rows of a till stand in PostgreSQL: as in a file, but for amounts.

import { numericAmountCell, numericU64Cell } from '../../sqlite/columns.js'
import * as file from '../../till/tables.js'

export { ATTEMPT, DELIVERY, LETTER, USER } from '../../till/tables.js'

export const INVOICE = file.INVOICE.with({ amount: ['amount', numericAmountCell] })
export const PAYMENT = file.PAYMENT.with({
  amount: ['amount', numericAmountCell],
  feeFields: ['fee_fields', numericU64Cell],
})
export const INVOICE_SLATE = file.INVOICE_SLATE.with({ amount: ['amount', numericAmountCell] })
