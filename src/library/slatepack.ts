// Slatepacks, plain and encrypted, and the text forms of an address key (Grin RFC 15).
import type { AddressKey } from '../grin/kinds/index.js'
import type { Slate } from '../grin/slate/index.js'
import { type AddressPrefix, armorSlateTo as armorTo } from '../grin/slatepack/index.js'
import { type RandomSource, randomFrom } from './surroundings.js'

export type { AddressKey, AddressSeed } from '../grin/kinds/index.js'
export {
  type AddressPrefix,
  addressOfSeed,
  ageIdentity,
  ageRecipient,
  armor,
  armorSlate,
  countArmors,
  type DecryptionKey,
  type DecryptionKeys,
  dearmor,
  decodeEnvelope,
  decryptionKey,
  type Envelope,
  encodeEnvelope,
  formatAddress,
  formatEnvelopeJson,
  formatOnion,
  MAX_ARMOR,
  type OpenedSlatepack,
  openEnvelope,
  parseAddress,
  parseEnvelopeJson,
  parseOnion,
  type ReadOptions,
  readSlatepack,
  type SlatepackMode,
  type WriteOptions,
} from '../grin/slatepack/index.js'

/** How an encrypted slatepack is written. */
export interface EncryptOptions {
  /** `grin` on mainnet, `tgrin` elsewhere. */
  readonly prefix: AddressPrefix
  /** The wallet's address key, 32 bytes: where a reply goes. Only the recipients can read it. */
  readonly sender?: AddressKey
  readonly random?: RandomSource
}

/** A slatepack encrypted to `recipients` (address keys, 32 bytes each), as armored text. Throws RangeError without a recipient. */
export const armorSlateTo = (
  recipients: readonly AddressKey[],
  slate: Slate,
  { random, ...options }: EncryptOptions,
): Promise<string> => armorTo(recipients, slate, { ...options, random: randomFrom(random) })
