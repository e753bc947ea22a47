// What a request for an invoice means: checked members, and the moments when price and window end. Pure.
import { INVOICE_EXPIRY } from '../../lib/invoice-expiry.js'
import { parseUrl } from '../../lib/url.js'
import type { CreateInvoice, TillSettings } from '../api.js'
import {
  amountMissing,
  amountTwice,
  currencyNotEnabled,
  expiryInvalid,
  fiatAmountInvalid,
  matchModeInvalid,
  orderRefInvalid,
  returnUrlInvalid,
} from '../errors.js'
import { type Invoice, MATCH_MODES, type MatchMode } from '../model.js'
import { fiatAmountFault, invoiceAmount, type Price } from './pricing.js'

const MAX_ORDER_REF = 255
const MAX_RETURN_URL = 2048
const SECOND = 1000

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

// Short texts from outside that people will read: memos, subjects, order references (specification: invoicing, 4.4).

/** Longest note, in characters. */
const MAX_NOTE = 256

/** Control characters, halves of characters, direction marks, zero-width characters and the byte order mark: they could disguise a text. */
const DANGEROUS = /[\p{Cc}\p{Cs}\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** One line without dangerous characters, at most 256 characters; null when nothing is left. */
export function cleanNote(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const line = text.replace(DANGEROUS, ' ').replace(/\s+/g, ' ').trim()
  if (line === '') return null
  return line.length <= MAX_NOTE ? line : Array.from(line).slice(0, MAX_NOTE).join('').trimEnd()
}
