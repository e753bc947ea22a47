export {
  type EnvelopeVersion,
  envelopeVersionFor,
  MAX_RUMOR_CONTENT,
  MAX_WRAP_CONTENT,
  type Rumor,
} from './envelope.js'
export { type OpenedWrap, openWrap } from './open.js'
export { wrapMessage, wrapWith } from './wrap.js'
