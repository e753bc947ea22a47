// Fee fields, weights, and kernels: message, bytes, hash, verdict.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family } from '../family.js'
import type { Library } from '../library.js'

type Kernel = ReturnType<Library['tx']['parseKernelJson']>
type KernelFeatures = Kernel['features']

export const feesFamily: Family = {
  name: 'fees and weights',
  weight: 5,
  async run({ dice, library, ask, same }) {
    const { tx } = library
    const shape = { inputs: dice.below(600), outputs: dice.below(60), kernels: dice.below(4) }
    const [fee, shift, field] = [dice.u64(), dice.below(18), dice.u64()]
    const theirs = ask('fees', { ...shape, shift, fee: `${fee}`, field: `${field}` })
    const made = await attempt(() => `${tx.feeField(fee, BigInt(shift))}`)
    const split = tx.splitFee(field)
    const ours = {
      weight: tx.transactionWeight(shape),
      least: `${tx.minimumFee(shape)}`,
      field: 'ok' in made ? made.ok : null,
      split: { fee: `${split.fee}`, shift: Number(split.shift) },
    }
    same('fees', { ok: ours }, await theirs)
  },
}

/** Heights in JSON stay below 2^53: nodes write them as numbers. */
function randomFeatures(dice: Dice, { tx }: Library): KernelFeatures {
  const fee = tx.feeField(1n + dice.bigBelow(2n ** 40n - 1n), BigInt(dice.chance(0.3) ? dice.below(16) : 0))
  switch (dice.below(5)) {
    case 0:
      return { kind: 'height-locked', fee, lockHeight: dice.u64() >> 11n }
    case 1:
      return { kind: 'no-recent-duplicate', fee, relativeHeight: dice.upTo(10_080) }
    case 2:
      return dice.chance(0.3) ? { kind: 'coinbase' } : { kind: 'plain', fee }
    default:
      return { kind: 'plain', fee }
  }
}

/** A kernel signed by one key. */
export function kernelSignedBy(dice: Dice, { crypto, tx }: Library, key: bigint, features: KernelFeatures): Kernel {
  const nonce = crypto.secureNonce(dice.bytes(32))
  const keySum = crypto.compressedPublicKey(key)
  const session = { keySum, nonceSum: nonce.public, message: tx.kernelMessage(features) }
  const part = crypto.signPartial({ ...session, secretKey: key, secretNonce: nonce.secret })
  return {
    features,
    excess: crypto.publicKeyToCommitment(keySum),
    signature: crypto.addSignatures([part], nonce.public),
  }
}

export const kernelsFamily: Family = {
  name: 'kernels',
  weight: 9,
  async run({ dice, library, ask, agree }) {
    const { tx } = library
    const key = library.crypto.scalarFromBytes(dice.secret())
    const good = kernelSignedBy(dice, library, key, randomFeatures(dice, library))
    const kernel = dice.chance(0.5) ? good : { ...good, ...damage(dice, library, good) }
    const json = JSON.stringify(
      tx.transactionJson({ offset: new Uint8Array(32), inputs: [], outputs: [], kernels: [kernel] }).body.kernels[0],
    )
    const theirs = ask('kernel', { json })
    const ours = await attempt(() => {
      const read = tx.parseKernelJson(JSON.parse(json))
      return {
        json,
        message: toHex(tx.kernelMessage(read.features)),
        v1: toHex(tx.encodeKernel(read, 1)),
        v2: toHex(tx.encodeKernel(read, 2)),
        hash: toHex(tx.kernelHash(read)),
        valid: isValid(library, read),
      }
    })
    agree(json, ours, await theirs)
  },
}

function isValid({ tx, crypto }: Library, { features, excess, signature }: Kernel): boolean {
  if (!crypto.isCommitment(excess)) return false
  const publicKey = crypto.commitmentToPublicKey(excess)
  return crypto.verifySignature({ signature, publicKey, message: tx.kernelMessage(features) })
}

function damage(dice: Dice, library: Library, { excess, signature }: { excess: Uint8Array; signature: Uint8Array }) {
  switch (dice.below(4)) {
    case 0:
      return { excess: damaged(dice, excess, false) }
    case 1:
      return { features: randomFeatures(dice, library) }
    case 2: // the other sign of the nonce: only the residue test tells them apart
      return { signature: negated(library, signature) }
    default:
      return { signature: damaged(dice, signature, false) }
  }
}

function negated({ crypto }: Library, signature: Uint8Array): Uint8Array {
  const s = crypto.scalarFromBytes(signature.slice(32))
  return new Uint8Array([...signature.subarray(0, 32), ...crypto.scalarToBytes(crypto.blindSum([], [s]))])
}

export const sortingFamily: Family = {
  name: 'order of inputs and outputs',
  weight: 3,
  async run({ dice, library, ask, same }) {
    const members = dice.many(dice.upTo(40), () => ({
      coinbase: dice.chance(0.3),
      commitment: `0${8 + dice.below(2)}${dice.hex(32)}`,
    }))
    const theirs = ask('sort', { members })
    const read = members.map(({ coinbase, commitment }) => ({ coinbase, commitment: fromHex(commitment) }))
    same('order', { ok: library.tx.sortByHash(read).map(({ commitment }) => toHex(commitment)) }, await theirs)
  },
}
