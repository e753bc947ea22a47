// How long the answer to an invoice becomes. Wallets, this one too, read no slatepack beyond MAX_ARMOR: an I2 that is longer would lock
// coins for nothing.
import { MAX_ARMOR } from '../../grin/slatepack/index.js'
import { walletTooLarge } from '../errors.js'

/** Feature, form and commitment (33 bytes). */
const INPUT_BYTES = 35
/** An input with a range proof (675 bytes) and its length. */
const OUTPUT_BYTES = INPUT_BYTES + 677
/** Everything else of an I2 with a payment proof and an expiry, and what encryption adds. */
const OTHER_BYTES = 900
/** Base58 makes 1.366 characters of a byte; every 15 characters a blank. */
const CHARACTERS_PER_BYTE = (1.366 * 16) / 15

/** Throws WALLET_TOO_LARGE if an I2 with these inputs and change outputs may not fit into a slatepack. */
export function checkAnswerSize({ inputs, change }: { readonly inputs: number; readonly change: number }): void {
  const bytes = OTHER_BYTES + inputs * INPUT_BYTES + change * OUTPUT_BYTES
  if (bytes * CHARACTERS_PER_BYTE > MAX_ARMOR) throw walletTooLarge(inputs, change)
}
