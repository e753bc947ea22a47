// The front door of Grin's cryptography: bytes at the borders, scalars as bigint in [0, n).
export {
  addSignatures,
  compactToRaw,
  type Nonce,
  rawToCompact,
  secureNonce,
  signPartial,
  verifyPartial,
  verifySignature,
} from './aggsig.js'
export type { RangeProofInput } from './bulletproof/prove.js'
export {
  type ProveRange,
  type Prover,
  proveRange,
  type VerifyRange,
  verifyRange,
  warmRangeProofs,
} from './bulletproof/range-proof.js'
export { createSieve, type Rewound, rewindRange } from './bulletproof/rewind.js'
export { outputMismatch } from './errors.js'
export { blake2b256 } from './hash.js'
export {
  commit,
  commitmentsBalance,
  compressedPublicKey,
  sumCommitments,
  sumPublicKeys,
  switchBlind,
} from './pedersen.js'
export { commitmentToPublicKey, isCommitment, isPublicKey, publicKeyToCommitment } from './point.js'
export { blindSum, type Scalar, scalarFromBytes, scalarToBytes, secretKeyFromBytes } from './scalar.js'
export { recomputeOutput } from './second-way.js'
