// Refusals in the language of the payer, by error code. English is the text of the error itself; a page in another language shows none
// of it. Pure.
import { formatGrin, type NanoGrin } from '../../grin/amount/index.js'
import type { GrinpayError } from '../../lib/errors.js'
import { foreignText } from '../../lib/plain-text.js'
import { FINISH_FIRST, NOTHING_MORE, STILL_COUNTS } from '../payments/slate-states.js'
import { fill, type Translator } from './texts/index.js'
import { REFUSAL_LANGUAGES } from './texts/refusals/index.js'

interface Entry {
  /** What happened. */
  readonly text: RefusalText
  /** What to do about it. */
  readonly fix: RefusalFix
}

/** All that the page of an invoice can show. */
const REFUSALS = {
  INVOICE_ALREADY_PAID: { text: 'alreadyPaid', fix: 'firstCounts' },
  INVOICE_EXPIRED: { text: 'expired', fix: 'cancelAskNew' },
  INVOICE_CANCELLED: { text: 'cancelled', fix: 'cancelAskNew' },
  SLATE_WRONG_STATE: { text: 'wrongState', fix: 'sendAgain' },
  SLATE_OUR_REPLY: { text: 'ourReply', fix: 'finalize' },
  SLATE_FINISHED: { text: 'finished', fix: 'post' },
  SLATE_PAYMENT_COMPLETE: { text: 'complete', fix: 'nothingLeft' },
  SLATE_OUR_INVOICE: { text: 'ourInvoice', fix: 'payIt' },
  SLATE_OUR_INVOICE_OVER: { text: 'ourInvoiceOver', fix: 'doNotPay' },
  SLATE_WRONG_AMOUNT: { text: 'wrongAmount', fix: 'exactAmount' },
  SLATE_ID_USED: { text: 'idUsed', fix: 'firstPage' },
  SLATE_EXPIRED: { text: 'slateExpired', fix: 'makeNew' },
  SLATE_TIME_UNKNOWN: { text: 'timeUnknown', fix: 'pasteLater' },
  INVOICE_SLATE_WRONG_STATE: { text: 'noAnswer', fix: 'openInvoice' },
  INVOICE_SLATE_UNKNOWN: { text: 'answersNone', fix: 'giveBack' },
  INVOICE_SLATE_ELSEWHERE: { text: 'answersOther', fix: 'otherPage' },
  INVOICE_SLATE_CLOSED: { text: 'answersClosed', fix: 'useReloaded' },
  INVOICE_SLATE_USED: { text: 'completed', fix: 'firstDone' },
  SLATEPACK_BAD_HEADER: { text: 'noSlatepack', fix: 'copyAll' },
  SLATEPACK_BAD_FOOTER: { text: 'noEnd', fix: 'copyAll' },
  SLATEPACK_BAD_BASE58: { text: 'badCharacter', fix: 'copyAll' },
  SLATEPACK_TOO_SHORT: { text: 'tooShort', fix: 'copyAll' },
  SLATEPACK_BAD_CHECK: { text: 'damaged', fix: 'copyAll' },
  SLATEPACK_TOO_LONG: { text: 'tooLong', fix: 'fewerCoins' },
  SLATEPACK_TWO: { text: 'two', fix: 'oneByOne' },
  SLATEPACK_WRONG_CHAIN: { text: 'wrongChain', fix: 'checkNetwork' },
  SLATEPACK_CANNOT_DECRYPT: { text: 'cannotDecrypt', fix: 'sendHere' },
  SLATEPACK_BAD_MODE: { text: 'badMode', fix: 'updateWallet' },
  SLATEPACK_INVALID: { text: 'unreadable', fix: 'makeNew' },
  ADDRESS_INVALID: { text: 'unreadable', fix: 'makeNew' },
  SLATE_INVALID: { text: 'unreadable', fix: 'makeNew' },
  SLATE_VERSION_UNSUPPORTED: { text: 'version', fix: 'updateWallet' },
  S1_STATE: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_ZERO_AMOUNT: { text: 'zeroAmount', fix: 'exactAmount' },
  S1_WRONG_AMOUNT: { text: 'otherAmount', fix: 'exactAmount' },
  S1_PARTICIPANTS: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_SIGNED: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_NUM_PARTS: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_FEATURES: { text: 'locked', fix: 'cancelMakeNew' },
  S1_FEE_TOO_LOW: { text: 'feeTooLow', fix: 'cancelMakeNew' },
  S1_FEE_FIELD: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_EXPIRED: { text: 'timeOver', fix: 'cancelMakeNew' },
  S1_OFFSET: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_PROOF_SIGNED: { text: 'unusual', fix: 'cancelMakeNew' },
  S1_PROOF_ADDRESS: { text: 'otherAddress', fix: 'sendHere' },
  I2_STATE: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_UNKNOWN: { text: 'answersOther', fix: 'otherPage' },
  I2_PARTICIPANTS: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_UNSIGNED: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_NUM_PARTS: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_FEATURES: { text: 'locked', fix: 'cancelMakeNew' },
  I2_INPUTS: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_TOO_LARGE: { text: 'manyCoins', fix: 'fewerCoins' },
  I2_COMMITMENT: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_FEE_FIELD: { text: 'unusual', fix: 'cancelMakeNew' },
  I2_FEE_TOO_LOW: { text: 'feeTooLow', fix: 'cancelMakeNew' },
  I2_EXPIRED: { text: 'timeOver', fix: 'cancelMakeNew' },
  I2_OFFSET: { text: 'unusual', fix: 'cancelMakeNew' },
  WALLET_STOPPED: { text: 'walletStopped', fix: 'tellShop' },
  REQUOTE_REFUSED: { text: 'noNewPrice', fix: 'askNew' },
  RATE_UNAVAILABLE: { text: 'noPrice', fix: 'later' },
  RATE_DISPUTED: { text: 'noPrice', fix: 'later' },
  FIAT_AMOUNT_TOO_SMALL: { text: 'noNewPrice', fix: 'askNew' },
  AMOUNT_OUT_OF_RANGE: { text: 'noNewPrice', fix: 'askNew' },
  INVALID_FORM: { text: 'badForm', fix: 'goBack' },
  INVALID_REQUEST: { text: 'badForm', fix: 'goBack' },
} as const satisfies Readonly<Record<string, { readonly text: string; readonly fix: string }>>

type RefusalCode = keyof typeof REFUSALS
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[]

type Entries = (typeof REFUSALS)[RefusalCode]
/** Beside those of the table: `alreadySigned` for a payment that the network has not seen, `notNow` for whatever ends by itself. */
type RefusalText = Entries['text'] | 'alreadySigned' | 'notNow'
type RefusalFix = Entries['fix'] | 'finishFirst' | 'nothingMore' | 'stillCounts'

/** One language. */
export interface RefusalTexts {
  readonly texts: Readonly<Record<RefusalText, string>>
  readonly fixes: Readonly<Record<RefusalFix, string>>
}

/** Remedies that errors get beside their own. */
const OTHER_FIXES: ReadonlyMap<string | undefined, RefusalFix> = new Map<string, RefusalFix>([
  [FINISH_FIRST, 'finishFirst'],
  [NOTHING_MORE, 'nothingMore'],
  [STILL_COUNTS, 'stillCounts'],
])

const isKnown = (code: string): code is RefusalCode => Object.hasOwn(REFUSALS, code)

function entryOf({ code, status, values, hint }: Refusal): Entry {
  const entry: Entry = isKnown(code)
    ? REFUSALS[code]
    : status >= 500
      ? { text: 'notNow', fix: 'later' }
      : { text: 'unusual', fix: 'makeNew' }
  const text = code === 'INVOICE_ALREADY_PAID' && values?.[0] === 'signed' ? 'alreadySigned' : entry.text
  return { text, fix: OTHER_FIXES.get(hint) ?? entry.fix }
}

/** What of an error its page needs. */
type Refusal = Pick<GrinpayError, 'code' | 'status' | 'message'> & {
  readonly hint?: string | undefined
  readonly values?: readonly unknown[] | undefined
}

const isAmount = (value: unknown): value is NanoGrin => typeof value === 'bigint'

/** The parts of an error's text by their place: `{0}`, `{1}`; `{code}`. */
const partsOf = ({ code, values = [] }: Refusal): Readonly<Record<string, string>> => ({
  code,
  ...Object.fromEntries(
    values.map((value, at) => [
      at,
      code === 'SLATE_WRONG_AMOUNT' && isAmount(value) ? formatGrin(value) : foreignText(value),
    ]),
  ),
})

/** An error text as a sentence of its own. */
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, '')}.`

/** What happened, and what to do about it (may be empty). */
export function refusalIn({ lang }: Translator, refusal: Refusal): { readonly text: string; readonly fix: string } {
  const { message, hint } = refusal
  if (lang === 'en') return { text: sentence(message), fix: hint === undefined ? '' : sentence(hint) }
  const { texts, fixes } = REFUSAL_LANGUAGES[lang]
  const { text, fix } = entryOf(refusal)
  return { text: fill(texts[text], partsOf(refusal)), fix: fixes[fix] }
}
