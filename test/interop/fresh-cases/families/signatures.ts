// Partial signatures of one to four signers, their sum, and the verdict on damaged ones.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family } from '../family.js'
import type { Library } from '../library.js'
import { okOf, verdictIn } from '../reference.js'

interface Signed {
  readonly keySum: string
  readonly nonceSum: string
  readonly parts: readonly { readonly raw: string }[]
}

function randomSigners(dice: Dice, { crypto }: Library) {
  return dice.many(dice.upTo(4), () => {
    const [key, seed] = [dice.secret(), dice.secret()]
    // a wallet's nonce has a square y, and signatures must not depend on it
    const nonce = dice.chance(0.7) ? crypto.scalarToBytes(crypto.secureNonce(seed).secret) : seed
    return { key, nonce }
  })
}

function signAll({ crypto }: Library, signers: ReturnType<typeof randomSigners>, message: Uint8Array) {
  const scalars = signers.map(({ key, nonce }) => ({
    key: crypto.scalarFromBytes(key),
    nonce: crypto.scalarFromBytes(nonce),
  }))
  const keySum = crypto.sumPublicKeys(scalars.map(({ key }) => crypto.compressedPublicKey(key)))
  const nonceSum = crypto.sumPublicKeys(scalars.map(({ nonce }) => crypto.compressedPublicKey(nonce)))
  const session = { keySum, nonceSum, message }
  const parts = scalars.map(({ key, nonce }) => crypto.signPartial({ ...session, secretKey: key, secretNonce: nonce }))
  const whole = crypto.addSignatures(parts, nonceSum)
  return {
    keySum: toHex(keySum),
    nonceSum: toHex(nonceSum),
    excess: toHex(crypto.publicKeyToCommitment(keySum)),
    parts: parts.map((part, at) => ({
      raw: toHex(part),
      compact: toHex(crypto.rawToCompact(part)),
      valid: crypto.verifyPartial({
        ...session,
        signature: part,
        publicKey: crypto.compressedPublicKey(scalars[at]!.key),
      }),
    })),
    raw: toHex(whole),
    compact: toHex(crypto.rawToCompact(whole)),
    valid: crypto.verifySignature({ signature: whole, publicKey: keySum, message }),
  }
}

export const signaturesFamily: Family = {
  name: 'signatures',
  weight: 8,
  async run({ dice, library, ask, agree }) {
    const [signers, message] = [randomSigners(dice, library), dice.bytes(32)]
    const theirs = ask('sign', {
      message: toHex(message),
      signers: signers.map(({ key, nonce }) => ({ key: toHex(key), nonce: toHex(nonce) })),
    })
    agree('signatures', await attempt(() => signAll(library, signers, message)), await theirs)
  },
}

export const damagedSignaturesFamily: Family = {
  name: 'damaged partial signatures',
  weight: 6,
  async run({ dice, library, ask, agree }) {
    const [signers, message] = [randomSigners(dice, library), dice.hex(32)]
    const hexes = signers.map(({ key, nonce }) => ({ key: toHex(key), nonce: toHex(nonce) }))
    const made = await ask('sign', { message, signers: hexes })
    if (!('ok' in made)) return // keys that cancel: the family above compares that
    const { keySum, nonceSum, parts } = okOf<Signed>(made)
    const key = toHex(library.crypto.compressedPublicKey(library.crypto.scalarFromBytes(signers[0]!.key)))
    const good = { signature: parts[0]!.raw, key, keySum, nonceSum, message }
    const name = dice.pick(['signature', 'signature', 'key', 'keySum', 'nonceSum', 'message'] as const)
    const question = dice.chance(0.1) ? good : { ...good, [name]: toHex(damaged(dice, fromHex(good[name]), false)) }
    const theirs = ask('check-partial', question)
    const ours = await attempt(() => ({
      valid: library.crypto.verifyPartial({
        signature: fromHex(question.signature),
        publicKey: fromHex(question.key),
        keySum: fromHex(question.keySum),
        nonceSum: fromHex(question.nonceSum),
        message: fromHex(question.message),
      }),
    }))
    agree(JSON.stringify(question), verdictIn(ours), verdictIn(await theirs))
  },
}
