// Recomputes an own output from seed, path and amount before its commitment is sent.
import { equalBytes } from '../../lib/bytes.js'
import { outputMismatch, recomputeOutput } from '../crypto/index.js'
import type { Identifier, Keychain } from '../keychain/index.js'

interface OwnOutput {
  readonly value: bigint
  readonly blind: bigint
  readonly commitment: Uint8Array
}

/** Throws OUTPUT_MISMATCH if the curve library computes another blinding factor or commitment. */
export function checkOwnOutput(
  keychain: Pick<Keychain, 'deriveKey'>,
  { identifier, amount }: { readonly identifier: Identifier; readonly amount: bigint },
  { value, blind, commitment }: OwnOutput,
): void {
  const again = recomputeOutput(amount, keychain.deriveKey(identifier))
  if (value !== amount || again.blind !== blind || !equalBytes(again.commitment, commitment)) throw outputMismatch()
}

/** Runs the check while another thread makes the range proof. Rejects if the check throws. */
export async function checkedWith<T>(proving: Promise<T>, check: () => void): Promise<T> {
  try {
    check()
  } catch (thrown) {
    await proving.catch(() => undefined) // the result is no longer needed
    throw thrown
  }
  return proving
}
