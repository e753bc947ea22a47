// Answers out of a few words, alike in all setups: upper and lower case are the same; after five wrong answers the default counts.
import type { Question } from './question.js'

type WordedAnswer = Pick<Question<string>, 'tidy' | 'patience' | 'refusal'>

const lower = (text: string): string => text.toLowerCase()
const PATIENCE = 5

/** "a, b or c", as messages and refusals list them. */
export const wordList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** One of these words. */
export const oneWordOf = (words: readonly string[]): WordedAnswer => ({
  tidy: lower,
  patience: PATIENCE,
  refusal: (text) => (words.includes(text) ? undefined : `must be ${wordList(words)}`),
})

const SHORT: Readonly<Record<string, string>> = {
  ...{ y: 'yes', true: 'yes', on: 'yes', '1': 'yes' },
  ...{ n: 'no', false: 'no', off: 'no', '0': 'no' },
}

/** `yes` or `no`, also as y, n, on, off, true, false, 1 and 0. */
export const YES_NO: WordedAnswer = { ...oneWordOf(['yes', 'no']), tidy: (text) => SHORT[lower(text)] ?? lower(text) }
