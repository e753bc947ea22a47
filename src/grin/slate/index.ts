export { decodeSlate, encodeSlate } from './binary.js'
export { digestSlate } from './digest.js'
export { quote, slateInvalid, slateVersionUnsupported } from './errors.js'
export { formatSlateJson, parseSlateJson } from './json.js'
export {
  isZero,
  type Participant,
  RANGE_PROOF_LENGTH,
  SLATE_STATES,
  type Slate,
  type SlateCommitment,
  type SlateProof,
  type SlateState,
  ZERO_OFFSET,
} from './types.js'
