// Seeds, words and keys. Nothing but `newSeed` is random: the same seed, path and amount give the same bytes.
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

/**
 * A fresh wallet seed (secret): 32 bytes are 24 words, 16 bytes are 12. `mnemonicFromEntropy` writes it as words.
 * Throws RangeError for a length other than 16, 20, 24, 28 and 32.
 */
export function newSeed(length: 16 | 20 | 24 | 28 | 32 = 32, random?: RandomSource): Uint8Array {
  if (![16, 20, 24, 28, 32].includes(length)) throw new RangeError(`a seed of ${length} bytes`)
  return randomFrom(random).bytes(length)
}
