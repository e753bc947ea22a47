export { nostrCodeInvalid } from './errors.js'
export {
  decodeCode,
  encodeCode,
  formatNprofile,
  formatNpub,
  type Profile,
  parseNprofile,
  parseNsec,
  parsePubkey,
} from './nip19.js'
