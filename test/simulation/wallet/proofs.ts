// Range proofs of a wallet world. Usually a marked stand-in that carries value and key path in the clear, so that a scan finds what belongs to
// a seed by making the commitment again, as a rewound proof is checked too. In some worlds they are real.
import { type ProveRange, proveRange, type VerifyRange, verifyRange } from '../../../src/grin/crypto/index.js'
import { formatPath, type Identifier, type Keychain } from '../../../src/grin/keychain/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import type { FoundOutput, ProvenOutput, Sift } from '../../../src/wallet/index.js'

const LENGTH = 675
const MARK = 0x5a
/** Value (8 bytes), then the message of the proof (20 bytes), of which the last 17 are the identifier. */
const MESSAGE = 8
const IDENTIFIER = MESSAGE + 3
const MARKED = MESSAGE + 20

const proveStandIn: ProveRange = async ({ value, message = new Uint8Array(20) }) => {
  const proof = new Uint8Array(LENGTH).fill(MARK)
  new DataView(proof.buffer).setBigUint64(0, value)
  proof.set(message, MESSAGE)
  return proof
}

const verifyStandIn: VerifyRange = async (_, proof) =>
  proof.length === LENGTH && proof.subarray(MARKED).every((byte) => byte === MARK)

export interface WorldProofs {
  readonly prove: ProveRange
  readonly verify: VerifyRange
  /** The outputs of a seed among these; absent: as the product finds them. */
  readonly identify?: (keychain: Keychain, outputs: readonly ProvenOutput[]) => FoundOutput[]
  /** Lets everything through: stand-ins are no proofs. */
  readonly sift?: Sift
}

export function createProofs(areReal: boolean): WorldProofs {
  if (areReal) return { prove: async (input) => proveRange(input), verify: async (...proven) => verifyRange(...proven) }
  /** By keychain and commitment: a world scans the same outputs again and again. */
  const found = new WeakMap<Keychain, Map<string, FoundOutput | undefined>>()

  function open(keychain: Keychain, chain: ProvenOutput): FoundOutput | undefined {
    const value = new DataView(chain.proof.buffer, chain.proof.byteOffset).getBigUint64(0)
    const identifier = chain.proof.slice(IDENTIFIER, MARKED) as Identifier
    const commitment = toHex(keychain.commitOutput(identifier, value))
    return commitment === toHex(chain.commitment)
      ? { commitment, path: formatPath(identifier), value, chain }
      : undefined
  }

  return {
    prove: proveStandIn,
    verify: verifyStandIn,
    sift: async (_, outputs) => outputs.map((__, at) => at),
    identify(keychain, outputs) {
      const known = found.get(keychain) ?? new Map<string, FoundOutput | undefined>()
      found.set(keychain, known)
      return outputs.flatMap((chain) => {
        const key = toHex(chain.commitment)
        if (!known.has(key)) known.set(key, open(keychain, chain))
        const own = known.get(key)
        return own ? [{ ...own, chain }] : []
      })
    },
  }
}
