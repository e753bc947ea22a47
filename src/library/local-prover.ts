// Range proofs in the same thread: the default of everything that takes a prover.
import { proveRange, type RangeProofInput, verifyRange } from '../grin/crypto/index.js'

/** Makes and checks range proofs. `createProver` of `@grinpay/grin/prover` does it in worker threads. */
export interface Prover {
  /** A proof of 675 bytes, determined by the input. */
  prove(input: RangeProofInput): Promise<Uint8Array>
  /** Whether the proof (675 bytes) holds for the commitment (33 bytes). Anything malformed is false. */
  verify(commitment: Uint8Array, proof: Uint8Array): Promise<boolean>
}

/** Proves in the calling thread, which is busy for tens of milliseconds per proof; the first builds tables and takes longer. */
export const localProver: Prover = {
  prove: async (input) => proveRange(input),
  verify: async (commitment, proof) => verifyRange(commitment, proof),
}
