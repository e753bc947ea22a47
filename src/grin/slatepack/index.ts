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
export { armor, countArmors, dearmor, MAX_ARMOR } from './armor.js'
export {
  decodeEnvelope,
  decodeInside,
  encodeEnvelope,
  encodeInside,
} from './envelope.js'
export { formatEnvelopeJson, parseEnvelopeJson } from './envelope-json.js'
export * as slatepackErrors from './errors.js'
export { type OpenedSlatepack, openEnvelope, readSlatepack } from './read.js'
export { armorSlate, armorSlateTo } from './write.js'
