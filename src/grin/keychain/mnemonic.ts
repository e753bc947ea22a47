// The words of a wallet are a spelling of its seed: BIP39 without PBKDF2 (specification: grin-wallet 1.1).
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { nearest } from '../../lib/nearest.js'
import { badEntropy, badMnemonic } from './errors.js'

/** The seed behind the words, 16 … 32 bytes. Words are separated by any whitespace and lower case exactly. Throws BAD_MNEMONIC. */
export function entropyFromMnemonic(words: string): Uint8Array {
  if (!/^[a-z\s]*$/.test(words)) throw badMnemonic()
  try {
    return mnemonicToEntropy(words.trim().split(/\s+/).join(' '), wordlist)
  } catch {
    // The library's error can quote a word of the secret: it is not kept as a cause.
    throw badMnemonic()
  }
}

/**
 * What is wrong with typed words, as the end of "It …": the place of the first that is none, with the nearest that is one.
 * None of the words is quoted. Undefined: they spell a seed.
 */
export function mnemonicFault(words: string): string | undefined {
  const list = words.trim().split(/\s+/)
  const odd = list.findIndex((word) => !wordlist.includes(word))
  if (odd >= 0) {
    const meant = nearest((list[odd] ?? '').toLowerCase().slice(0, LONGEST), wordlist)
    return `has no seed word at place ${odd + 1} of ${list.length}${meant === undefined ? '' : `; did you mean "${meant}"?`}`
  }
  if (![12, 15, 18, 21, 24].includes(list.length)) return `has ${list.length} words; seeds have 12, 15, 18, 21 or 24`
  try {
    entropyFromMnemonic(words)
    return undefined
  } catch {
    return 'has known words alone, but they spell no seed: one is another word of the list, or their order is wrong'
  }
}

/** No word of the list has more letters; longer texts are not searched for. */
const LONGEST = 12

/** The words of a seed of 16, 20, 24, 28 or 32 bytes. Throws BAD_ENTROPY. */
export function mnemonicFromEntropy(entropy: Uint8Array): string {
  checkEntropy(entropy)
  return entropyToMnemonic(entropy, wordlist)
}

/** Refuses lengths that no mnemonic can spell. */
export function checkEntropy(entropy: Uint8Array): void {
  if (![16, 20, 24, 28, 32].includes(entropy.length)) throw badEntropy(entropy.length)
}
