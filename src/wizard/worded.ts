// The one manner of all three wizards for answers out of a few words: typed, in any letter case; after five wrong ones the default counts.
import type { Question } from './question.js'

type Manner = Pick<Question<string>, 'tidy' | 'patience' | 'refusal'>

const lower = (text: string): string => text.toLowerCase()
const PATIENCE = 5

/** "a, b or c", as messages and refusals list them. */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** One of these words. */
export const oneWordOf = (words: readonly string[]): Manner => ({
  tidy: lower,
  patience: PATIENCE,
  refusal: (text) => (words.includes(text) ? undefined : `must be ${listed(words)}`),
})

const SHORT: Readonly<Record<string, string>> = {
  ...{ y: 'yes', true: 'yes', on: 'yes', '1': 'yes' },
  ...{ n: 'no', false: 'no', off: 'no', '0': 'no' },
}

/** `yes` or `no`, also as y, n, on, off, true, false, 1 and 0. */
export const YES_NO: Manner = { ...oneWordOf(['yes', 'no']), tidy: (text) => SHORT[lower(text)] ?? lower(text) }
