// A second computation of change outputs before their commitments leave: an output that the seed does not open is lost money.
import { outputMismatch, recomputeOutput } from '../../grin/crypto/index.js'
import { identifierFromPath, type Keychain } from '../../grin/keychain/index.js'
import { toHex } from '../../lib/bytes.js'
import type { OwnOutput } from '../model.js'

/** Throws OUTPUT_MISMATCH if the curve library alone computes another commitment for seed, path and amount. */
export function checkChange(keychain: Pick<Keychain, 'deriveKey'>, change: readonly OwnOutput[]): void {
  for (const { path, value, commitment } of change) {
    const again = recomputeOutput(value, keychain.deriveKey(identifierFromPath(path)))
    if (toHex(again.commitment) !== commitment) throw outputMismatch()
  }
}
