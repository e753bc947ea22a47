// An invoice of the till before this one (specification: invoicing, 3.1, 3.5 and 12) as one of ours.
import { nanoGrin } from '../../grin/amount/index.js'
import { deriveChild, invoiceContext } from '../../nostr/keys/index.js'
import { matchKeyOf } from '../invoices/terms.js'
import { type FiatQuote, type Invoice, MATCH_MODES, type MatchMode, spelled } from '../model.js'
import { linksOf } from '../nostr/links.js'
import {
  hexOf,
  hexOrNull,
  type LegacyRow,
  type MovingParts,
  RowLeftOut,
  RowProblem,
  readCount,
  readText,
  readTime,
  readWord,
  textOrNull,
  timeOrNull,
  wholeOrNull,
} from './parts.js'

const MAX_AMOUNT = 2n ** 53n - 1n
const TOKEN = /^[A-Za-z0-9_-]{43}$/
const STATES = ['open', 'paid', 'confirmed', 'expired'] as const

/** `payment`: the row of the payment that it names, if there is one. */
export function readInvoice({ cells }: LegacyRow, payment: LegacyRow | undefined, parts: MovingParts): Invoice {
  const id = hexOf(cells, 'id', 32)
  const status = readWord(cells, 'status', STATES)
  const orderRef = textOrNull(cells, 'ref')
  const base = {
    id,
    orderRef,
    memo: textOrNull(cells, 'memo'),
    amount: amountOf(cells, payment),
    ...recipientOf(cells, id, status, parts),
  }
  const whole = { ...base, matchKey: matchKeyOf(base, id) }
  return {
    ...whole,
    token: readText(cells, 'token', TOKEN),
    status,
    fiat: fiatOf(cells),
    expiresAt: timeOrNull(cells, 'expiry'),
    windowEndsAt: timeOrNull(cells, 'expiry'),
    requotes: 0,
    // The link of an ended invoice is never opened, and drawing thousands of codes takes minutes.
    ...(status === 'open' ? linksOf(whole, parts.settings, parts.address) : { payLink: '', qrSvg: '' }),
    createdAt: readTime(cells, 'created_at'),
    paidAt: timeOrNull(cells, 'paid_at'),
    confirmedAt: timeOrNull(cells, 'confirmed_at'),
    paymentId: textOrNull(cells, 'paid_payment_id'),
    confirmations: payment ? readCount(payment.cells, 'confirmations') : 0,
    // The secrets of its native slate stay in the wallet that issued it; a plain send to the address works here, too.
    offeredRail: cells.rail === 'grin1' && parts.settings.grin1Rail ? 'grin1' : null,
    slateId: null,
    slatepack: null,
    returnUrl: null,
    grinRate: null,
    tip: null,
  }
}

function amountOf(cells: LegacyRow['cells'], payment: LegacyRow | undefined): Invoice['amount'] {
  const amount = wholeOrNull(cells, 'expected_amount') ?? (payment && wholeOrNull(payment.cells, 'amount')) ?? null
  if (amount === null && cells.status === 'open')
    throw new RowProblem('it is open and has no amount: let it expire first')
  if (amount === null) throw new RowLeftOut('it never had an amount')
  if (amount < 1n || amount > MAX_AMOUNT) throw new RowProblem(`expected_amount is out of range: ${amount}`)
  return nanoGrin(amount)
}

/** A row without a mode took that of the server; its key tells which one made it. */
function recipientOf(
  cells: LegacyRow['cells'],
  id: string,
  status: Invoice['status'],
  { identity, mainPubkey, settings }: MovingParts,
): { readonly recipientPubkey: string; readonly matchMode: MatchMode } {
  const recipientPubkey = hexOrNull(cells, 'recipient_pubkey', 64) ?? mainPubkey
  const isOwnKey = () => deriveChild(identity, invoiceContext(id)).pubkey === recipientPubkey
  const stated = textOrNull(cells, 'match_mode') === null ? undefined : readWord(cells, 'match_mode', MATCH_MODES)
  const usual = settings.matchMode === 'derived' ? 'memo' : settings.matchMode
  const matchMode = stated ?? (recipientPubkey === mainPubkey ? usual : 'derived')
  const isLive = status === 'open' || status === 'paid'
  const isOurs = () => (matchMode === 'derived' ? isOwnKey() : recipientPubkey === mainPubkey || isOwnKey())
  if (isLive && !isOurs())
    throw new RowProblem('its key is not of this till: take over the Nostr identity of the old till first')
  return { recipientPubkey, matchMode }
}

/** A price that was never locked is none. */
function fiatOf(cells: LegacyRow['cells']): FiatQuote | null {
  const [amount, currency] = [textOrNull(cells, 'fiat_amount'), textOrNull(cells, 'fiat_currency')]
  const [rate, source] = [textOrNull(cells, 'quote_rate'), textOrNull(cells, 'quote_source')]
  if (amount === null || currency === null || rate === null) return null
  return { amount, ...spelled(currency), rate, source: source ?? 'unknown' }
}
