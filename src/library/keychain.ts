// Seeds, words and keys. Nothing but `newSeed` is random: the same seed, path and amount give the same bytes.
import type { WalletSeed } from '../grin/kinds/index.js'
import { ofKind } from '../lib/kinds.js'
import { type RandomSource, randomFrom } from './surroundings.js'

export {
  entropyFromMnemonic,
  formatPath,
  type Identifier,
  identifierFromPath,
  type Keychain,
  mnemonicFault,
  mnemonicFromEntropy,
  openKeychain,
  outputIdentifier,
  pathOf,
  type RewoundOutput,
  type SwitchType,
} from '../grin/keychain/index.js'
export type { AddressSeed, Subkey, ViewKey, WalletSeed } from '../grin/kinds/index.js'

/**
 * A fresh wallet seed (secret): 32 bytes are 24 words, 16 bytes are 12. `mnemonicFromEntropy` writes it as words.
 * Throws RangeError for a length other than 16, 20, 24, 28 and 32.
 */
export function newSeed(length: 16 | 20 | 24 | 28 | 32 = 32, random?: RandomSource): WalletSeed {
  if (![16, 20, 24, 28, 32].includes(length)) throw new RangeError(`a seed of ${length} bytes`)
  return ofKind('wallet seed', randomFrom(random).bytes(length))
}
