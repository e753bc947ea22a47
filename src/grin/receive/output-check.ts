// The last look at an output of ours before its commitment leaves: is it really what the seed, the path and the amount give?
import { equalBytes } from '../../lib/bytes.js'
import { outputMismatch, recomputeOutput } from '../crypto/index.js'
import type { Identifier, Keychain } from '../keychain/index.js'

interface OwnOutput {
  readonly value: bigint
  readonly blind: bigint
  readonly commitment: Uint8Array
}

/** Throws OUTPUT_MISMATCH when the curve library does not come to the same blinding factor and commitment. */
export function checkOwnOutput(
  keychain: Pick<Keychain, 'deriveKey'>,
  { identifier, amount }: { readonly identifier: Identifier; readonly amount: bigint },
  { value, blind, commitment }: OwnOutput,
): void {
  const again = recomputeOutput(amount, keychain.deriveKey(identifier))
  if (value !== amount || again.blind !== blind || !equalBytes(again.commitment, commitment)) throw outputMismatch()
}

/** The range proof that is on its way in another thread, unless the check throws meanwhile. */
export async function checkedWith<T>(proving: Promise<T>, check: () => void): Promise<T> {
  try {
    check()
  } catch (thrown) {
    await proving.catch(() => undefined) // its result is not needed any more
    throw thrown
  }
  return proving
}
