// Proves and verifies ranges. Tables are built on first use, once per thread.

import { createPointSums, type PointSums } from '../../../curve/index.js'
import { fromHex } from '../../../lib/bytes.js'
import type { Commitment, RangeProof } from '../../kinds/index.js'
import { fixedPoints } from './points.js'
import { proveRangeWith, type RangeProofInput } from './prove.js'
import { verifyRangeWith } from './verify.js'

let sums: PointSums | undefined
const pointSums = (): PointSums => {
  sums ??= createPointSums(fixedPoints())
  return sums
}

/** The commitment to 1 nanogrin under the blinding factor 1. */
const REHEARSAL = fromHex('09337b7285fc31a330c3e05d10c1cbbc009bf37c9c5dcf192adfd221bc8450d79a')

/** Builds the tables, then makes and checks a few proofs so that the code is compiled: a cold proof costs five warm ones. */
export function warmRangeProofs(rehearsals = 3): void {
  const input = { value: 1n, blind: 1n, rewindNonce: new Uint8Array(32) }
  for (let i = 0; i < rehearsals; i++)
    if (!verifyRange(REHEARSAL, proveRange(input))) throw new Error('the range prover does not satisfy the verifier')
}

/** Makes a range proof of 675 bytes, determined by the input. Throws BAD_LENGTH, AMOUNT_OUT_OF_RANGE or BAD_SECRET_KEY. */
export const proveRange = (input: RangeProofInput): RangeProof => proveRangeWith(pointSums(), input)

/** Whether the proof holds for the commitment. Anything malformed is false. */
export const verifyRange = (commitment: Commitment, proof: RangeProof, extra?: Uint8Array): boolean =>
  verifyRangeWith(pointSums(), { commitment, proof, extra })

/** The prover as a port: a worker, or the same function in-process. Answers a proof of 675 bytes, determined by the input. */
export type ProveRange = (input: RangeProofInput) => Promise<RangeProof>

/** The verifier as a port: whether the proof (675 bytes) holds for the commitment (33 bytes). Anything malformed is false. */
export type VerifyRange = (commitment: Commitment, proof: RangeProof) => Promise<boolean>

/** Makes and checks range proofs, in this thread or in workers. */
export interface Prover {
  readonly prove: ProveRange
  readonly verify: VerifyRange
}
