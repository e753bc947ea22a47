// The words of a wallet encode its seed: BIP39 without PBKDF2 (specification: grin-wallet 1.1).
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { checkKind, ofKind } from '../../lib/kinds.js'
import { nearest } from '../../lib/nearest.js'
import type { WalletSeed } from '../kinds/index.js'
import { badEntropy, badMnemonic } from './errors.js'

/** The seed of the words, 16 … 32 bytes. Words are lower case, separated by whitespace. Throws BAD_MNEMONIC. */
export function entropyFromMnemonic(words: string): WalletSeed {
  if (!/^[a-z\s]*$/.test(words)) throw badMnemonic()
  try {
    return ofKind('wallet seed', mnemonicToEntropy(words.trim().split(/\s+/).join(' '), wordlist))
  } catch {
    // The library's error can quote a secret word, so it is not the cause of ours.
    throw badMnemonic()
  }
}

/**
 * The fault of typed words, as the end of "It …": the position of the first unknown word, and the nearest known word.
 * No typed word is quoted. Undefined for a valid mnemonic.
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

/** The maximum length of a typed word for which the nearest known word is searched. */
const LONGEST = 12

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
