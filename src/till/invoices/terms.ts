// What a request for an invoice means: checked members, and the moments when price and window end. Pure.

import { nanoGrin } from '../../grin/amount/index.js'
import { INVOICE_EXPIRY } from '../../lib/invoice-expiry.js'
import { parseUrl } from '../../lib/url.js'
import type { CreateInvoice, TillSettings } from '../api.js'
import {
  amountMissing,
  amountOutOfRange,
  amountTwice,
  currencyNotEnabled,
  expiryInvalid,
  fiatAmountInvalid,
  matchModeInvalid,
  orderRefInvalid,
  returnUrlInvalid,
} from '../errors.js'
import { type Invoice, MATCH_MODES, type MatchMode } from '../model.js'
import { cleanNote } from './notes.js'
import { fiatAmountFault } from './pricing.js'

const MAX_AMOUNT = 2n ** 53n - 1n
const MAX_ORDER_REF = 255
const MAX_RETURN_URL = 2048
const SECOND = 1000

/** An exact amount, or a fiat price that still needs a rate. */
export type Price =
  | { readonly exact: bigint }
  | { readonly fiatAmount: string; readonly fiatText: string; readonly currency: string }

export interface InvoiceTerms {
  readonly price: Price
  readonly matchMode: MatchMode
  readonly orderRef: string | null
  readonly memo: string | null
  readonly expirySecs: number | undefined
  readonly returnUrl: string | null
  readonly tip: string | null
}

/** Checks a request member by member (specification: invoicing, 2.3). Throws the 400s of the catalogue. */
export function termsOf(request: CreateInvoice, settings: TillSettings): InvoiceTerms {
  return {
    price: priceOf(request, settings.currencies),
    matchMode: modeOf(request.matchMode ?? settings.matchMode),
    orderRef: checkOrderRef(request.orderRef),
    memo: cleanNote(request.memo),
    expirySecs: checkExpiry(request.expirySecs),
    returnUrl: checkReturnUrl(request.returnUrl),
    tip: request.tip ?? null,
  }
}

/** `amount` in nanogrin as an invoice may have it. Throws AMOUNT_OUT_OF_RANGE. */
export function invoiceAmount(amount: bigint): Invoice['amount'] {
  if (amount < 1n || amount > MAX_AMOUNT) throw amountOutOfRange(amount)
  return nanoGrin(amount)
}

function priceOf({ amountNanogrin, amountFiat, currency }: CreateInvoice, currencies: readonly string[]): Price {
  if (amountNanogrin !== undefined) {
    if (amountFiat !== undefined || currency !== undefined) throw amountTwice()
    return { exact: invoiceAmount(amountNanogrin) }
  }
  if (amountFiat === undefined || currency === undefined) throw amountMissing()
  if (!currencies.includes(currency.toLowerCase())) throw currencyNotEnabled(currency)
  const fault = fiatAmountFault(amountFiat)
  if (fault !== undefined) throw fiatAmountInvalid(amountFiat, fault)
  return { fiatAmount: amountFiat.trim(), fiatText: amountFiat, currency }
}

function modeOf(text: string): MatchMode {
  if (!isMode(text)) throw matchModeInvalid()
  return text
}

const isMode = (text: string): text is MatchMode => MATCH_MODES.some((mode) => mode === text)

function checkOrderRef(text: string | undefined): string | null {
  if (text === undefined) return null
  const length = Array.from(text).length
  if (length < 1 || length > MAX_ORDER_REF || /[\p{Cc}\p{Cs}]/u.test(text)) throw orderRefInvalid()
  return text
}

function checkExpiry(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined
  const { least, most } = INVOICE_EXPIRY
  if (!Number.isInteger(seconds) || seconds < least || seconds > most) throw expiryInvalid(seconds)
  return seconds
}

/** It becomes a link on our page: http and https only, nothing that a browser reads in another way, no user name. */
function checkReturnUrl(text: string | undefined): string | null {
  if (text === undefined) return null
  const url = parseUrl(text)
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  const isPlain = /^https?:\/\/[^\s\\\p{C}]+$/iu.test(text) && text.length <= MAX_RETURN_URL
  if (!url || !isWeb || !isPlain || url.username !== '' || url.password !== '') throw returnUrlInvalid()
  return text
}

/** When the merchant's window and the price lock end; epoch milliseconds or null for never. */
export function endsOf(
  { price, expirySecs }: Pick<InvoiceTerms, 'price' | 'expirySecs'>,
  quoteTtl: number,
  now: number,
): Pick<Invoice, 'expiresAt' | 'windowEndsAt'> {
  const windowEndsAt = expirySecs === undefined ? null : now + expirySecs * SECOND
  if ('exact' in price) return { windowEndsAt, expiresAt: windowEndsAt }
  return { windowEndsAt, expiresAt: priceEndsAt(windowEndsAt, quoteTtl, now) }
}

/** When a fiat price that is quoted now ends: after the lock (`quoteTtl`, seconds), or with the merchant's window, if there is one. */
export const priceEndsAt = (windowEndsAt: number | null, quoteTtl: number, now: number): number =>
  Math.min(windowEndsAt ?? Number.POSITIVE_INFINITY, now + quoteTtl * SECOND)

/** In memo mode the text a payer's subject must equal: the sanitised order_ref, else the head of the id. */
export const matchKeyOf = (
  { matchMode, orderRef }: Pick<InvoiceTerms, 'matchMode' | 'orderRef'>,
  id: string,
): string | null => (matchMode === 'memo' ? (cleanNote(orderRef) ?? id.slice(0, 12)) : null)
