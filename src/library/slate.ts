// Slates of version 4, binary and JSON: the transaction that two wallets build in turn (Grin RFC 4).
export {
  decodeSlate,
  digestSlate,
  encodeSlate,
  formatSlateJson,
  type Participant,
  parseSlateJson,
  SLATE_STATES,
  type Slate,
  type SlateCommitment,
  type SlateProof,
  type SlateState,
} from '../grin/slate/index.js'
export { newSlateId } from './surroundings.js'
