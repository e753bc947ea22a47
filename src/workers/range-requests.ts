// What a range-proof worker is asked, and the function that answers: the same in a thread and in-process.
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
