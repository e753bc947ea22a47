export {
  type EnvelopeVersion,
  envelopeVersionFor,
  MAX_RUMOR_CONTENT,
  MAX_WRAP_CONTENT,
  type Rumor,
} from './envelope.js'
export { type OpenedWrap, openWrap, type WrapRefusal } from './open.js'
export { type Message, type WrappedMessage, type WrapSecrets, wrapMessage, wrapWith } from './wrap.js'
