// The hashes of BIP-340: SHA-256 after a name, so that a hash made for one purpose is of no use for another.
import { hash } from 'node:crypto'
import { concatBytes } from '../../lib/bytes.js'

/** The integer below 2^256 in the hash of the parts, one after the other. */
export function taggedHash(tag: string): (...parts: readonly Uint8Array[]) => bigint {
  const name = hash('sha256', tag, 'buffer')
  return (...parts) => BigInt(`0x${hash('sha256', concatBytes(name, name, ...parts), 'hex')}`)
}
