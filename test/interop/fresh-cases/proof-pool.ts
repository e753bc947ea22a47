// Outputs with their proofs, a few per run: proving takes ten times as long as verifying. Which ones a case uses depends on its seed only.
import { fromHex, toHex } from '../../../src/lib/bytes.js'
import { createDice } from './dice.js'
import type { Library } from './library.js'

const SIZE = 24

export interface Proved {
  readonly entropy: string
  /** Nanogrin. */
  readonly value: bigint
  readonly blind: bigint
  readonly commitment: string
  readonly proof: string
  readonly rewindNonce: string
}

const made = new Map<string, Proved>()

function prove({ crypto, keychain }: Library, name: string): Proved {
  const dice = createDice(name)
  const entropy = dice.bytes(32)
  const [identifier, value] = [keychain.outputIdentifier(dice.below(4), dice.child()), dice.amount()]
  const input = keychain.openKeychain(entropy).proofInput(identifier, value)
  const proof = toHex(crypto.proveRange(input))
  const hexes = { entropy: toHex(entropy), commitment: toHex(input.commitment), rewindNonce: toHex(input.rewindNonce) }
  return { ...hexes, value, blind: input.blind, proof }
}

/** Different outputs of the pool of a run. */
export function fromPool(library: Library, seed: string, numbers: readonly number[]): Proved[] {
  return [...new Set(numbers.map((number) => number % SIZE))].map((number) => {
    const name = `${seed}/pool/${number}`
    const one = made.get(name) ?? prove(library, name)
    made.set(name, one)
    return one
  })
}

/** The same output with another proof or commitment. */
export const bytesOf = ({ commitment, proof }: Pick<Proved, 'commitment' | 'proof'>) => ({
  commitment: fromHex(commitment),
  proof: fromHex(proof),
})
