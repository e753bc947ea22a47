// The rows that the operator's console and the point of sale list: as in a file, but for amounts.
import { numericAmountCell } from '../../sqlite/columns.js'
import * as file from '../../till/desk-rows.js'

export { DELIVERY_ROW, LETTER_ROW } from '../../till/desk-rows.js'

export const INVOICE_ROW = file.INVOICE_ROW.with({ amount: ['amount', numericAmountCell] })
export const SALE_ROW = file.SALE_ROW.with({ amount: ['amount', numericAmountCell] })
export const PAYMENT_ROW = file.PAYMENT_ROW.with({ amount: ['amount', numericAmountCell] })
