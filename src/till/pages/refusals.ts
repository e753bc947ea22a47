// Refusals in the language of the payer, by error code. English is the text of the error itself; a page in another language shows none
// of it. Pure.
import { formatGrin, type NanoGrin } from '../../grin/amount/index.js'
import type { GrinpayError } from '../../lib/errors.js'
import { foreignText } from '../../lib/plain-text.js'
import { FINISH_FIRST, NOTHING_MORE, STILL_COUNTS } from '../payments/slate-states.js'
import { fill, REFUSAL_LANGUAGES, type Translator } from './texts/index.js'
import { REFUSALS, type RefusalCode, type RefusalFix, type RefusalText } from './texts/refusals.js'

interface Entry {
  /** What happened. */
  readonly text: RefusalText
  /** What to do about it. */
  readonly fix: RefusalFix
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
