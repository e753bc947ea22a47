// Range proofs as the rest of the program sees them. Tables are built on first use, once per thread.

import { createPointSums, type PointSums } from '../sums/point-sums.js'
import { fixedPoints } from './points.js'
import { proveWith, type RangeProofInput } from './prove.js'
import { verifyWith } from './verify.js'

let sums: PointSums | undefined
const pointSums = (): PointSums => {
  sums ??= createPointSums(fixedPoints())
  return sums
}

/** Builds the tables ahead of the first proof. */
export const warmRangeProofs = (): void => void pointSums()

/** Makes a range proof of 675 bytes, determined by the input. Throws BAD_LENGTH, AMOUNT_OUT_OF_RANGE or BAD_SECRET_KEY. */
export const proveRange = (input: RangeProofInput): Uint8Array => proveWith(pointSums(), input)

/** Whether the proof holds for the commitment. Anything malformed is false. */
export const verifyRange = (commitment: Uint8Array, proof: Uint8Array, extra?: Uint8Array): boolean =>
  verifyWith(pointSums(), { commitment, proof, extra })

/** The prover as a port: a worker, or the same function in-process. */
export type ProveRange = (input: RangeProofInput) => Promise<Uint8Array>

/** The verifier as a port. */
export type VerifyRange = (commitment: Uint8Array, proof: Uint8Array) => Promise<boolean>
