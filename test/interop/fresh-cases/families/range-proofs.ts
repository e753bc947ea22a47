// Range proofs: the same bytes, the same verdict on good and damaged ones, the same values rewound.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import type { Family, Round } from '../family.js'
import { bytesOf, fromPool, type Proved } from '../proof-pool.js'
import { verdictIn, verdictOf } from '../reference.js'
import { randomIdentifier } from './keys.js'

type Examined = Pick<Proved, 'entropy' | 'commitment' | 'proof' | 'rewindNonce'>

async function proveOutput({ dice, library, ask, same }: Round): Promise<Examined> {
  const entropy = dice.hex(32)
  const [identifier, value] = [randomIdentifier(dice), dice.u64()]
  const type = dice.pick(['none', 'regular', 'regular'] as const)
  const theirs = ask('prove', { entropy, identifier, value: `${value}`, switch: type })
  const keychain = library.keychain.openKeychain(fromHex(entropy))
  const input = keychain.proofInput(fromHex(identifier), value, type)
  const ours = {
    commitment: toHex(input.commitment),
    proof: toHex(library.crypto.proveRange(input)),
    rewindNonce: toHex(input.rewindNonce),
    privateNonce: toHex(input.privateNonce!),
  }
  same('proof of an output', { ok: ours }, await theirs)
  return { entropy, ...ours }
}

/** Compares the verdict of both on a proof, and what its owner and a stranger read in it. */
async function examine(
  { dice, library, ask, same, agree }: Round,
  { entropy, commitment, proof, rewindNonce }: Examined,
) {
  const verdict = ask('verify', { commitment, proof })
  const rewinding = ask('rewind', { entropy, commitment, proof })
  const bare = ask('rewind', { rewindNonce, commitment, proof })
  const stranger = dice.hex(32)
  const strange = ask('rewind', { entropy: stranger, commitment, proof })
  const bytes = bytesOf({ commitment, proof })
  const rewindFor = (seed: string) => {
    const found = library.keychain.openKeychain(fromHex(seed)).rewindOutput(bytes.commitment, bytes.proof)
    return found ? { value: `${found.value}`, identifier: toHex(found.identifier), switch: found.switchType } : null
  }
  const raw = library.crypto.rewindRange(bytes.commitment, bytes.proof, fromHex(rewindNonce))
  agree('verified', verdictOf(library.crypto.verifyRange(bytes.commitment, bytes.proof)), verdictIn(await verdict))
  same('rewound by the owner', { ok: rewindFor(entropy) }, await rewinding)
  same('rewound by a stranger', { ok: rewindFor(stranger) }, await strange)
  const shown = raw ? { value: `${raw.value}`, message: toHex(raw.message) } : null
  same('rewound with the nonce', { ok: shown }, await bare)
}

export const provedOutputsFamily: Family = {
  name: 'range proofs of outputs',
  weight: 3,
  async run(round) {
    await examine(round, await proveOutput(round))
  },
}

export const provedValuesFamily: Family = {
  name: 'range proofs of any values',
  weight: 2,
  async run({ dice, library, ask, same }) {
    const [value, blind, rewindNonce, privateNonce] = [dice.u64(), dice.secret(), dice.secret(), dice.secret()]
    const message = dice.chance(0.7) ? dice.bytes(20) : undefined
    const extra = dice.chance(0.3) ? dice.bytes(dice.below(80)) : undefined
    const common = { ...(extra && { extra: toHex(extra) }) }
    const made = await ask('prove', {
      value: `${value}`,
      blind: toHex(blind),
      rewindNonce: toHex(rewindNonce),
      privateNonce: toHex(privateNonce),
      ...(message && { message: toHex(message) }),
      ...common,
    })
    const { crypto } = library
    const scalar = crypto.scalarFromBytes(blind)
    const optional = { ...(message && { message }), ...(extra && { extra }) }
    const proof = crypto.proveRange({ value, blind: scalar, rewindNonce, privateNonce, ...optional })
    const commitment = crypto.commit(value, scalar)
    same('proof of any value', { ok: { commitment: toHex(commitment), proof: toHex(proof) } }, made)
    const pack = { commitment: toHex(commitment), proof: toHex(proof) }
    const [verdict, without, rewound] = await Promise.all([
      ask('verify', { ...pack, ...common }),
      ask('verify', pack),
      ask('rewind', { ...pack, ...common, rewindNonce: toHex(rewindNonce) }),
    ])
    same('verified', { ok: { valid: crypto.verifyRange(commitment, proof, extra) } }, verdict)
    same('verified without extra data', { ok: { valid: crypto.verifyRange(commitment, proof) } }, without)
    const found = crypto.rewindRange(commitment, proof, rewindNonce, extra)
    same('rewound', { ok: found ? { value: `${found.value}`, message: toHex(found.message) } : null }, rewound)
  },
}

export const damagedProofsFamily: Family = {
  name: 'damaged range proofs',
  weight: 5,
  async run(round) {
    const { dice, library, seed } = round
    const [one, other] = fromPool(library, seed, [dice.below(12), 12 + dice.below(12)])
    if (!one || !other) return
    switch (dice.below(5)) {
      case 0:
        return examine(round, { ...one, commitment: other.commitment })
      case 1: // the bits that nobody reads: the upper four of byte 64, the upper six of byte 354
        return examine(round, {
          ...one,
          proof: flipped(
            one.proof,
            dice.pick([
              [64, 16 << dice.below(4)],
              [354, 4 << dice.below(6)],
            ]),
          ),
        })
      case 2:
        return examine(round, { ...one, proof: stretched(dice, one.proof) })
      default:
        return examine(round, { ...one, proof: toHex(damaged(dice, fromHex(one.proof), false)) })
    }
  },
}

function flipped(proof: string, [at, bit]: readonly number[]): string {
  const bytes = fromHex(proof)
  bytes[at!]! ^= bit!
  return toHex(bytes)
}

/** A scalar or coordinate of 32 bytes replaced: by zero, by the largest number, by another's. */
function stretched(dice: Dice, proof: string): string {
  const bytes = fromHex(proof)
  const at = dice.pick([0, 32, 65, 97, 129, 161, 193, 225, 257, 289, 321, 355, 387])
  bytes.set(dice.pick([new Uint8Array(32), new Uint8Array(32).fill(255), dice.bytes(32)]), at)
  return toHex(bytes)
}
