export { decodeSlate, digestSlate, encodeSlate } from './binary.js'
export { formatSlateJson, isSlateText, parseSlateJson } from './json.js'
export {
  addressKey,
  isEd25519Key,
  type Participant,
  RANGE_PROOF_LENGTH,
  SLATE_STATES,
  type Slate,
  type SlateCommitment,
  type SlateProof,
  type SlateState,
  ZERO_OFFSET,
} from './types.js'
