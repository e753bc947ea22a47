// Requests of a range-proof worker, and the function that answers them, in a thread or in-process.
import { proveRange, type RangeProofInput, verifyRange } from '../grin/crypto/index.js'

export type RangeRequest =
  | { readonly kind: 'prove'; readonly input: RangeProofInput }
  | { readonly kind: 'verify'; readonly commitment: Uint8Array; readonly proof: Uint8Array }

/** The proof for `prove`, the verdict for `verify`. */
export function answerRange(request: RangeRequest): Uint8Array | boolean {
  switch (request.kind) {
    case 'prove':
      return proveRange(request.input)
    case 'verify':
      return verifyRange(request.commitment, request.proof)
  }
}
