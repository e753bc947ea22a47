// Reads value and message out of a proof with its rewind nonce (specification: grin-crypto, 7.5). No point arithmetic.
import { checkKind } from '../../../lib/kinds.js'
import type { Amount, Commitment, RangeProof, RewindNonce } from '../../kinds/index.js'
import { badLength } from '../errors.js'
import { modN, scalarToBytes } from '../scalar.js'
import { commitmentX, readHead } from './layout.js'
import { scalarPair } from './nonces.js'
import { openTranscript } from './transcript.js'

/** Value in nanogrin, message of 20 bytes (zeros if the proof has none). */
export interface Rewound {
  readonly value: Amount
  readonly message: Uint8Array
}

/**
 * Undefined if the nonce does not fit the proof. This neither verifies the proof nor proves ownership: a foreign output
 * rewinds to random values with probability 2^-32, so the owner recomputes the commitment (keychain `rewindOutput`).
 * Throws BAD_LENGTH for a commitment or nonce of the wrong length.
 */
export function rewindRange(
  commitment: Commitment,
  proof: RangeProof,
  nonce: RewindNonce,
  extra?: Uint8Array,
): Rewound | undefined {
  if (commitment.length !== 33) throw badLength('commitment', 33, commitment.length)
  if (nonce.length !== 32) throw badLength('rewind nonce', 32, nonce.length)
  checkKind('rewind nonce', nonce)
  const head = readHead(proof)
  if (!head) return undefined
  const transcript = openTranscript(commitmentX(commitment), extra)
  transcript.yz(head.A, head.S)
  const x = transcript.x(head.T1, head.T2)
  const [alpha, rho] = scalarPair(nonce, 0)
  const hidden = scalarToBytes(modN(head.minusMu + rho * x + alpha))
  const view = new DataView(hidden.buffer, hidden.byteOffset, 32)
  if (view.getUint32(0) !== 0) return undefined
  return { value: view.getBigUint64(24), message: hidden.slice(4, 24) }
}
