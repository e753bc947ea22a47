export {
  type EnvelopeVersion,
  envelopeVersionFor,
  GIFT_WRAP_KIND,
  MAX_RUMOR_CONTENT,
  MAX_WRAP_CONTENT,
  RUMOR_KIND,
  type Rumor,
  SEAL_KIND,
} from './envelope.js'
export { type OpenedWrap, openWrap, type WrapRefusal } from './open.js'
export { type Message, type WrappedMessage, type WrapSecrets, wrapMessage, wrapWith } from './wrap.js'
