// The front door of Grin's cryptography: bytes at the borders, scalars as bigint in [0, n).
export { addSignatures, type Nonce, secureNonce, signPartial, verifyPartial, verifySignature } from './aggsig.js'
export type { RangeProofInput } from './bulletproof/prove.js'
export {
  type ProveRange,
  type Prover,
  proveRange,
  type VerifyRange,
  verifyRange,
  warmRangeProofs,
} from './bulletproof/range-proof.js'
export { type Rewound, rewindRange } from './bulletproof/rewind.js'
export { createSieve } from './bulletproof/sift.js'
export { outputMismatch } from './errors.js'
export { blake2b256 } from './hash.js'
export { commit, commitmentsBalance, compressedPublicKey, sumCommitments, sumPublicKeys } from './pedersen.js'
export { commitmentToPublicKey, isCommitment, isPublicKey, publicKeyToCommitment } from './point.js'
export { blindSum, type Scalar, scalarFromBytes, scalarToBytes, secretKeyFromBytes } from './scalar.js'
export { recomputeOutput } from './second-way.js'
export { compactToRaw, rawToCompact } from './signature-forms.js'
export { switchBlind } from './switch.js'
