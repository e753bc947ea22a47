// What the keychain refuses. No text ever contains words of a mnemonic or a key.
import { defineError } from '../../lib/errors.js'

export const badMnemonic = defineError('BAD_MNEMONIC', {
  status: 400,
  text: (fault: string) => `not a mnemonic: it ${fault}`,
  hint: 'check the spelling and the order of the words: 12, 15, 18, 21 or 24 English ones, whole or their first four letters',
})

export const badEntropy = defineError('BAD_ENTROPY', {
  status: 400,
  text: (have: number) => `wallet seed: need 16, 20, 24, 28 or 32 bytes, have ${have}`,
  hint: 'restore the seed file from a backup, or the wallet from its words',
})

export const badPath = defineError('BAD_KEY_PATH', {
  status: 400,
  text: (path: string) => `not a key path: "${path.slice(0, 60)}"`,
})

export const badIdentifier = defineError('BAD_IDENTIFIER', {
  status: 400,
  text: (have: number) => `key identifier: need 17 bytes, have ${have}`,
})

export const keyUnusable = defineError('KEY_UNUSABLE', {
  status: 500,
  text: (what: string) => `${what} is outside 1 … n-1 (chance 2^-127): use another key path`,
  hint: 'report this: it should never happen',
})
