// Slatepack addresses of either network, as users paste them.
import { parseAddress } from '../../grin/slatepack/index.js'
import { GrinpayError } from '../../lib/errors.js'
import { pastedWord } from '../../lib/pasted-text.js'

/** Blanks, marks that a clipboard added and letter case do not count (specification: names, 10.1). */
export const normaliseAddress = (typed: string): string => pastedWord(typed).toLowerCase()

/** The key of a normalised `grin1…` or `tgrin1…`: 32 bytes. Undefined for everything else, bech32m included. */
export function keyOfAddress(address: string): Uint8Array | undefined {
  try {
    return parseAddress(address, address.startsWith('tgrin1') ? 'tgrin' : 'grin')
  } catch (thrown) {
    if (thrown instanceof GrinpayError) return undefined
    throw thrown
  }
}
