// Range proofs in the same thread: the default of everything that takes a prover. Apart from `surroundings.ts`, so that who needs randomness alone
// loads no curve.
import { type Prover, proveRange, verifyRange } from '../grin/crypto/index.js'

export type { Prover }

/** Proves in the calling thread, which is busy for tens of milliseconds per proof; the first builds tables and takes longer. */
export const localProver: Prover = {
  prove: async (input) => proveRange(input),
  verify: async (commitment, proof) => verifyRange(commitment, proof),
}
