// Which text and which remedy a page shows for each error code, and what a language must have for it.

/** All that the page of an invoice can show. */
export const REFUSALS = {
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

export type RefusalCode = keyof typeof REFUSALS
export const REFUSAL_CODES = Object.keys(REFUSALS) as readonly RefusalCode[]

type Entries = (typeof REFUSALS)[RefusalCode]
/** Beside those of the table: `alreadySigned` for a payment that the network has not seen, `notNow` for whatever ends by itself. */
export type RefusalText = Entries['text'] | 'alreadySigned' | 'notNow'
export type RefusalFix = Entries['fix'] | 'finishFirst' | 'nothingMore' | 'stillCounts'

/** One language. */
export interface RefusalTexts {
  readonly texts: Readonly<Record<RefusalText, string>>
  readonly fixes: Readonly<Record<RefusalFix, string>>
}
