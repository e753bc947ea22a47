// The words of a wallet are a spelling of its seed: BIP39 without PBKDF2 (specification: grin-wallet 1.1).
import { entropyToMnemonic, mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
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

/** The words of a seed of 16, 20, 24, 28 or 32 bytes. Throws BAD_ENTROPY. */
export function mnemonicFromEntropy(entropy: Uint8Array): string {
  checkEntropy(entropy)
  return entropyToMnemonic(entropy, wordlist)
}

/** Refuses lengths that no mnemonic can spell. */
export function checkEntropy(entropy: Uint8Array): void {
  if (![16, 20, 24, 28, 32].includes(entropy.length)) throw badEntropy(entropy.length)
}
