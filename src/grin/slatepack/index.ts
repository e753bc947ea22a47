export {
  type AddressPrefix,
  addressOfSeed,
  ageIdentity,
  ageRecipient,
  formatAddress,
  formatOnion,
  parseAddress,
  parseOnion,
  x25519Secret,
} from './address.js'
export { type DecryptionKey, decryptionKey } from './age.js'
export { armor, countArmors, dearmor, firstArmor, MAX_ARMOR } from './armor.js'
export {
  decodeEnvelope,
  decodeInside,
  type Envelope,
  encodeEnvelope,
  encodeInside,
  formatEnvelopeJson,
  parseEnvelopeJson,
  type SlatepackMode,
} from './envelope.js'
export * as slatepackErrors from './errors.js'
export {
  armorSlate,
  armorSlateTo,
  type DecryptionKeys,
  type OpenedSlatepack,
  openEnvelope,
  type ReadOptions,
  readSlatepack,
  type WriteOptions,
} from './message.js'
