export { nostrCodeInvalid } from './errors.js'
export {
  decodeCode,
  encodeCode,
  formatNprofile,
  formatNpub,
  parseNprofile,
  parseNsec,
  parsePubkey,
} from './nip19.js'
