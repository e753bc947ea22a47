// Slates of every state with random content; the curve points in them are real, the signatures and proofs are not.
import type { Dice } from '../dice.js'
import type { Library } from '../library.js'

type Slate = ReturnType<Library['slate']['decodeSlate']>
type Participant = Slate['participants'][number]
type SlateCommitment = NonNullable<Slate['commitments']>[number]

const publicKey = (dice: Dice, { crypto }: Library): Uint8Array =>
  crypto.compressedPublicKey(crypto.scalarFromBytes(dice.secret()))

/** 64 bytes whose halves, read in compact order, are below the group order: others cannot be written in JSON. */
function partial(dice: Dice): Uint8Array {
  const bytes = dice.bytes(64)
  bytes[31]! &= 127
  bytes[63]! &= 127
  return bytes
}

function participant(dice: Dice, library: Library): Participant {
  const [excess, nonce] = [publicKey(dice, library), publicKey(dice, library)]
  return dice.chance(0.6) ? { excess, nonce, part: partial(dice) } : { excess, nonce }
}

function commitment(dice: Dice): SlateCommitment {
  const one = { coinbase: dice.chance(0.2), commitment: new Uint8Array([8 + dice.below(2), ...dice.bytes(32)]) }
  return dice.chance(0.6) ? { ...one, proof: dice.bytes(675) } : one
}

function proof(dice: Dice, { slatepack }: Library): NonNullable<Slate['proof']> {
  const [sender, receiver] = [slatepack.addressOfSeed(dice.bytes(32)), slatepack.addressOfSeed(dice.bytes(32))]
  // the top three bits of an ed25519 signature's s are zero
  const signature = dice.bytes(64)
  signature[63]! &= 15
  return dice.chance(0.5) ? { sender, receiver, signature } : { sender, receiver }
}

/** Feature 3 loses its argument in binary, and plain kernels have none: neither has one here. */
function features(dice: Dice): Pick<Slate, 'features' | 'lockHeight'> {
  if (dice.chance(0.75)) return { features: 0 }
  return dice.chance(0.7) ? { features: 2, lockHeight: dice.u64() } : { features: dice.below(256) || 2, lockHeight: 1n }
}

export function randomSlate(dice: Dice, library: Library): Slate {
  const kernel = features(dice)
  const fee = dice.chance(0.3) ? 0n : library.tx.feeField(1n + dice.bigBelow(2n ** 40n - 1n), BigInt(dice.below(16)))
  return {
    headerVersion: dice.chance(0.5) ? 3 : dice.below(65_536),
    id: dice.uuid(),
    state: dice.pick(library.slate.SLATE_STATES),
    offset: dice.chance(0.4) ? new Uint8Array(32) : dice.bytes(32),
    numParts: dice.chance(0.8) ? 2 : 1 + dice.below(255),
    amount: library.amount.nanoGrin(dice.chance(0.3) ? 0n : dice.u64()),
    fee,
    ttl: dice.chance(0.5) ? 0n : dice.u64(),
    ...(kernel.features === 0 || kernel.features === 2 ? kernel : { features: kernel.features }),
    participants: dice.many(dice.below(4), () => participant(dice, library)),
    ...(dice.chance(0.6) && { commitments: dice.many(dice.below(5), () => commitment(dice)) }),
    ...(dice.chance(0.4) && { proof: proof(dice, library) }),
  }
}
