// From the form of the keypad to a sale, or to the reason why not. Pure.
import { nanoGrin } from '../../../grin/amount/index.js'
import { GRIN, type Money, moneyText, parseMoney, percentOf, priceText } from './currency.js'
import type { NewSale } from './sales.js'

export const TIP_PERCENTS = [5, 10, 15] as const
/** Characters of a note. */
export const MOST_NOTE = 120

/** What the form holds, as it was typed. */
export interface Entry {
  readonly amount: string
  /** Lower case; `grin` is one. */
  readonly currency: string
  /** `0`, a number of TIP_PERCENTS, or `other` with `tipAmount`. */
  readonly tip: string
  readonly tipAmount: string
  readonly note: string
}

type Priced = Pick<NewSale, 'price' | 'note' | 'tip'>

/** What the sale asks for. The tip is part of the amount; the note says how much of it. */
export function readEntry(entry: Entry): Priced | { readonly problem: string } {
  const { currency } = entry
  const amount = parseMoney(entry.amount, currency)
  if ('problem' in amount) return amount
  if (amount.units === 0n) return { problem: 'The amount is 0. Enter what the customer pays.' }
  const tip = tipOf(entry, amount)
  if ('problem' in tip) return tip
  const note = entry.note.trim()
  const length = Array.from(note).length
  if (length > MOST_NOTE) return { problem: `The note has ${length} characters; at most ${MOST_NOTE} fit.` }
  const total = { currency, units: amount.units + tip.units }
  const price = priceOf(total)
  if ('problem' in price) return price
  return { price, note: noteWith(note, tip), tip: tip.units === 0n ? null : moneyText(tip) }
}

function tipOf({ tip, tipAmount, currency }: Entry, amount: Money): Money | { readonly problem: string } {
  if (tip === 'other') {
    if (tipAmount === '') return { currency, units: 0n }
    const typed = parseMoney(tipAmount, currency)
    return 'problem' in typed ? { problem: `Tip: ${typed.problem}` } : typed
  }
  const percent = [0, ...TIP_PERCENTS].find((one) => String(one) === tip)
  if (percent === undefined) return { problem: 'This tip cannot be chosen. Please choose again.' }
  return percentOf(amount, percent)
}

/** Above every sum that the till takes, so that the error names the till's own limit. */
const MOST_NANOGRIN = 2n ** 63n

function priceOf(total: Money): NewSale['price'] | { readonly problem: string } {
  const text = moneyText(total)
  if (!/^\d{1,12}(\.|$)/.test(text)) return { problem: 'Amount and tip together have too many digits.' }
  if (total.currency !== GRIN) return { fiat: text, currency: total.currency }
  return { grin: nanoGrin(total.units < MOST_NANOGRIN ? total.units : MOST_NANOGRIN) }
}

function noteWith(note: string, tip: Money): string | null {
  const said = tip.units === 0n ? '' : `incl. tip ${priceText(tip)}`
  if (note === '' || said === '') return note + said || null
  return `${note} (${said})`
}
