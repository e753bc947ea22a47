// The words of a wallet encode its seed: BIP39 without PBKDF2 (specification: grin-wallet, 1.1).
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { checkKind, ofKind } from '../../lib/kinds.js'
import { nearest } from '../../lib/nearest.js'
import type { WalletSeed } from '../kinds/index.js'
import { badEntropy, badMnemonic } from './errors.js'

const COUNTS = [12, 15, 18, 21, 24]
/** No two words of the list begin with the same four letters. */
const PREFIX = 4
/** The maximum length of a typed word for which the nearest known word is searched. */
const LONGEST = 12

/** A word as it was written, in lower case, and the number before it. */
interface Written {
  readonly text: string
  readonly number: number | undefined
}

/** What is wrong with written words, as the end of "it …"; `at`: the place of an unknown word in `words`. Quotes none of them. */
type Reading =
  | { readonly entropy: Uint8Array }
  | { readonly fault: string; readonly words: readonly Written[]; readonly at?: number }

/**
 * The seed of the words, 16 … 32 bytes. Words may be in upper case, cut to their first four letters or more, separated by white space or commas,
 * and numbered: then their numbers are their order. Throws BAD_MNEMONIC, which names the place of a wrong word.
 */
export function entropyFromMnemonic(words: string): WalletSeed {
  const reading = read(words)
  if ('entropy' in reading) return ofKind('wallet seed', reading.entropy)
  throw badMnemonic(reading.fault)
}

/**
 * The fault of typed words, as the end of "It …": the position of the first unknown word, and the nearest known word.
 * No typed word is quoted. Undefined for a valid mnemonic.
 */
export function mnemonicFault(words: string): string | undefined {
  const reading = read(words)
  if ('entropy' in reading) return undefined
  const odd = reading.at === undefined ? undefined : reading.words[reading.at]
  const meant = odd && nearest(odd.text.slice(0, LONGEST), wordlist)
  return `${reading.fault}${meant === undefined ? '' : `; did you mean "${meant}"?`}`
}

function read(text: string): Reading {
  const words = inOrder(written(text))
  if (words === undefined) return { fault: 'has numbers that are not those of its words, from 1 on', words: [] }
  const known = words.map((word) => knownWord(word.text))
  const at = known.indexOf(undefined)
  if (at >= 0) return { fault: `has no seed word at place ${at + 1} of ${words.length}`, words, at }
  if (!COUNTS.includes(words.length))
    return { fault: `has ${words.length} words; seeds have 12, 15, 18, 21 or 24`, words }
  try {
    return { entropy: mnemonicToEntropy(known.join(' '), wordlist) }
  } catch {
    // The library's error can quote a secret word.
    const fault =
      'has known words alone, but they spell no seed: one is another word of the list, or their order is wrong'
    return { fault, words }
  }
}

/** "1. abandon", "1) abandon", "1 abandon" and "abandon" are one word each. */
function written(text: string): readonly Written[] {
  const words: Written[] = []
  let number: number | undefined
  for (const part of text.toLowerCase().split(/[\s,;\u200b\ufeff]+/)) {
    const [, digits, rest = part] = /^[#(]?(\d{1,2})[.):]*(.*)$/s.exec(part) ?? []
    if (digits !== undefined) number = Number(digits)
    if (rest === '') continue
    words.push({ text: rest, number })
    number = undefined
  }
  return number === undefined ? words : [...words, { text: '', number }]
}

/** The words sorted by their numbers, if they have some: two columns are read line by line. Undefined when a number is missing or doubled. */
function inOrder(words: readonly Written[]): readonly Written[] | undefined {
  if (words.every(({ number }) => number === undefined)) return words
  const sorted = words.toSorted((a, b) => (a.number ?? 0) - (b.number ?? 0))
  return sorted.every(({ number }, at) => number === at + 1) ? sorted : undefined
}

const knownWord = (text: string): string | undefined =>
  wordlist.find((word) => word === text) ??
  (text.length < PREFIX ? undefined : wordlist.find((word) => word.startsWith(text)))

/** The words of a seed of 16, 20, 24, 28 or 32 bytes. Throws BAD_ENTROPY. */
export function mnemonicFromEntropy(entropy: WalletSeed): string {
  checkEntropy(entropy)
  return entropyToMnemonic(entropy, wordlist)
}

/** Refuses lengths that no mnemonic encodes. */
export function checkEntropy(entropy: WalletSeed): void {
  checkKind('wallet seed', entropy)
  if (![16, 20, 24, 28, 32].includes(entropy.length)) throw badEntropy(entropy.length)
}
