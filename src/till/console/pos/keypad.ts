// The keypad: the page with the form, and the action that turns it into a sale. What was typed comes back with every refusal.

import type { ActionOutcome, ActionRequest, ConsoleAction, ConsolePage } from '../../../console/index.js'
import { toHex } from '../../../lib/bytes.js'
import { GrinpayError } from '../../../lib/errors.js'
import { decimalsOf, GRIN, priceText } from './currency.js'
import { type Entry, MOST_NOTE, readEntry, TIP_PERCENTS } from './entry.js'
import type { NewSale, PricedCurrency, Sale, Sales } from './sales.js'
import { isPaid, stageOf, sumOf, tagOf } from './stage.js'

export interface KeypadParts {
  readonly sales: Sales
  readonly random: { bytes(length: number): Uint8Array }
}

const LAST_SALES = 20
const SCRIPTS = ['pos.js']
export const MANIFEST = '/console/pos/manifest.webmanifest'
/** Characters of a typed amount that come back with a refusal. */
const MOST_TYPED = 40

export function keypadPage({ sales, random }: KeypadParts): ConsolePage {
  return {
    path: '/pos',
    title: 'Point of sale',
    least: 'cashier',
    navigation: { label: 'Point of sale', order: 15 },
    frame: 'counter',
    scripts: SCRIPTS,
    manifest: MANIFEST,
    async render({ query, view }) {
      const [currencies, notReady, latest] = await Promise.all([
        sales.currencies(),
        sales.notReady(),
        sales.latest(LAST_SALES),
      ])
      const entry = entryIn(query)
      const shown = currenciesOf(currencies, entry.currency)
      return {
        body: view('pos/keypad', {
          entry:
            TIP_PERCENTS.some((one) => String(one) === entry.tip) || entry.tip === 'other'
              ? entry
              : { ...entry, tip: '0' },
          currencies: shown,
          percents: TIP_PERCENTS,
          mostNote: MOST_NOTE,
          notices: [...notReadyNotice(notReady), ...rateNotices(currencies)],
          sale: toHex(random.bytes(16)),
          sales: latest.map(rowOf),
        }),
      }
    },
  }
}

/** What a refusal or "Next sale" put into the address. */
const entryIn = (query: Readonly<Record<string, string>>): Entry => ({
  amount: (query.amount ?? '').slice(0, MOST_TYPED),
  currency: query.currency ?? '',
  tip: query.tip ?? '0',
  tipAmount: (query.tip_amount ?? '').slice(0, MOST_TYPED),
  note: (query.note ?? '').slice(0, 2 * MOST_NOTE),
})

/** The path of the keypad with what was typed. */
export function keypadWith({ amount, currency, tip, tipAmount, note }: Partial<Entry>): string {
  const typed = { amount, currency, tip: tip === '0' ? '' : tip, tip_amount: tipAmount, note }
  const given = Object.entries(typed).filter((pair): pair is [string, string] => Boolean(pair[1]))
  return given.length === 0 ? '/pos' : `/pos?${new URLSearchParams(given)}`
}

interface ShownCurrency {
  readonly code: string
  readonly label: string
  readonly decimals: number
  readonly rate: string
  readonly isOff: boolean
  readonly isChosen: boolean
}

/** The wanted currency is chosen if it has a rate, else the first fiat currency that has one, else GRIN. */
function currenciesOf(currencies: readonly PricedCurrency[], wanted: string): readonly ShownCurrency[] {
  const all: readonly PricedCurrency[] = [...currencies, { code: GRIN, rate: undefined }]
  const usable = all.filter(({ rate }) => rate !== null)
  const chosen = usable.find(({ code }) => code === wanted) ?? usable[0]
  return all.map(({ code, rate }) => ({
    code,
    label: code.toUpperCase(),
    decimals: decimalsOf(code),
    rate: rate ?? '',
    isOff: rate === null,
    isChosen: code === chosen?.code,
  }))
}

const notReadyNotice = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [`The till is not ready: ${names.join(', ')}. A payment may not arrive. Tell the operator before you sell.`]

function rateNotices(currencies: readonly PricedCurrency[]): readonly string[] {
  const off = currencies.filter(({ rate }) => rate === null).map(({ code }) => code.toUpperCase())
  if (off.length === 0) return []
  if (off.length === currencies.length) return ['There is no exchange rate now: you can charge in GRIN only.']
  return [`There is no exchange rate for ${off.join(', ')} now.`]
}

const rowOf = (sale: Sale) => ({
  id: sale.id,
  createdAt: sale.createdAt,
  note: sale.memo ?? '',
  ...sumOf(sale),
  tag: tagOf(sale),
})

/** Letter for letter as in the form; the lengths are only what no form of ours exceeds. */
const FIELDS = {
  amount: { max: 400 },
  currency: { max: 10, pattern: /^[a-z0-9]{2,10}$/ },
  tip: { max: 10 },
  tip_amount: { max: 400 },
  note: { max: 1000 },
  sale: { max: 32, pattern: /^[0-9a-f]{32}$/ },
} as const

export function chargeAction({ sales }: KeypadParts): ConsoleAction {
  return {
    path: '/pos/sales',
    id: 'pos.charge',
    least: 'cashier',
    fields: FIELDS,
    object: referenceOf,
    audited: ['amount', 'currency', 'tip', 'tip_amount'],
    async perform(request) {
      const entry = entryOf(request)
      const { sale: key = '' } = request.form
      if (key === '' || entry.currency === '') return refusal(entry, 'The form was not complete. Please charge again.')
      const read = readEntry(entry)
      if ('problem' in read) return refusal(entry, read.problem)
      return open(sales, { key, reference: referenceOf(request), ...read }, entry)
    },
  }
}

const entryOf = ({ form }: ActionRequest): Entry => ({
  amount: form.amount ?? '',
  currency: form.currency ?? '',
  tip: form.tip ?? '0',
  tipAmount: form.tip_amount ?? '',
  note: form.note ?? '',
})

/** `pos-20261123-124605-7f3a9c`: the moment in UTC, and the head of the form's key. */
function referenceOf({ now, form }: ActionRequest): string {
  const stamp = new Date(now).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
  return `pos-${stamp}-${(form.sale ?? '').slice(0, 6)}`
}

async function open(sales: Sales, wanted: NewSale, entry: Entry): Promise<ActionOutcome> {
  try {
    const { sale, isRepeated } = await sales.open(wanted)
    // A form that comes out of the browser's memory must not show the payment of an earlier customer.
    if (isRepeated && stageOf(sale) !== 'waiting') return refusal(entry, repeatedText(sale))
    return { to: `/pos/sales/${sale.id}` }
  } catch (thrown) {
    if (!(thrown instanceof GrinpayError)) throw thrown
    return refusal(entry, TEXTS[thrown.code]?.(wanted) ?? sentence(thrown.message), thrown.code)
  }
}

const repeatedText = (sale: Sale): string =>
  `This form had already made a sale, which is ${isPaid(sale) ? 'paid' : tagOf(sale).text}: see the last sales. For another customer, charge again.`

const currencyIn = ({ price }: NewSale): string => ('fiat' in price ? price.currency.toUpperCase() : 'GRIN')

/** Refusals of the till in the words of the counter. */
const TEXTS: Readonly<Record<string, (wanted: NewSale) => string>> = {
  RATE_UNAVAILABLE: (wanted) =>
    `There is no exchange rate for ${currencyIn(wanted)} now. Charge in GRIN, or try again in a minute.`,
  RATE_DISPUTED: (wanted) =>
    `The exchange rate for ${currencyIn(wanted)} is in doubt. Charge in GRIN, and tell the operator.`,
  CURRENCY_NOT_ENABLED: (wanted) => `This till has no prices in ${currencyIn(wanted)}.`,
  AMOUNT_OUT_OF_RANGE: () =>
    `The amount is more than one sale can have: at most ${priceText({ currency: GRIN, units: 2n ** 53n - 1n })}.`,
  FIAT_AMOUNT_TOO_SMALL: () => 'The amount is worth less than the smallest unit of GRIN.',
  WALLET_STOPPED: () => 'The till takes no payments now: its wallet is stopped. Tell the operator.',
  IDENTITY_NOT_LOADED: () => 'The till takes no payments: they are switched off (PAY_INGEST). Tell the operator.',
  IDEMPOTENCY_MISMATCH: () =>
    'This form had already made a sale with other values: see the last sales. To make another one, charge again.',
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Back to the keypad with everything that was typed. */
const refusal = (entry: Entry, text: string, code = 'POS_ENTRY'): ActionOutcome => ({
  to: keypadWith(shortened(entry)),
  flash: { tone: 'bad', text },
  refused: code,
})

const shortened = (entry: Entry): Entry => ({
  ...entry,
  amount: entry.amount.slice(0, MOST_TYPED),
  tipAmount: entry.tipAmount.slice(0, MOST_TYPED),
  note: entry.note.slice(0, 2 * MOST_NOTE),
})
