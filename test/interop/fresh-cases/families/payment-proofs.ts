// Payment proofs: the same signatures, the same export, the same verdict on altered ones.
import { fromHex, toHex } from '../../../../src/lib/bytes.js'
import { type Dice, damaged } from '../dice.js'
import { attempt, type Family } from '../family.js'
import type { Library } from '../library.js'

function randomProof(dice: Dice, { amount, crypto, proof, slatepack }: Library) {
  const [sender, recipient] = [dice.secret(), dice.secret()]
  const content = {
    amount: amount.nanoGrin(dice.u64()),
    excess: crypto.publicKeyToCommitment(crypto.compressedPublicKey(crypto.scalarFromBytes(dice.secret()))),
    sender: slatepack.addressOfSeed(sender),
  }
  const half = proof.makeReceiverProof(content, recipient)
  return { sender, recipient, content, whole: proof.completeProof(half, sender) }
}

export const paymentProofsFamily: Family = {
  name: 'payment proofs',
  weight: 4,
  async run({ dice, library, ask, same }) {
    const { sender, recipient, content, whole } = randomProof(dice, library)
    const message = toHex(library.proof.paymentProofMessage(content))
    const [received, sent] = await Promise.all([
      ask('sign-proof', { seed: toHex(recipient), message }),
      ask('sign-proof', { seed: toHex(sender), message }),
    ])
    same("recipient's signature", { ok: { signature: toHex(whole.signature) } }, received)
    same("sender's signature", { ok: { signature: toHex(whole.senderSignature) } }, sent)
  },
}

export const alteredProofsFamily: Family = {
  name: 'altered payment proofs',
  weight: 6,
  async run({ dice, library, ask, agree }) {
    const { proof } = library
    const exported = proof.paymentProofJson(randomProof(dice, library).whole, 'grin')
    const json = JSON.stringify(dice.chance(0.3) ? exported : alter(dice, library, exported))
    const theirs = ask('check-proof', { json })
    const ours = await attempt(() => {
      const read = proof.parsePaymentProof(JSON.parse(json), 'grin')
      proof.checkPaymentProof(read)
      return { json: JSON.stringify(proof.paymentProofJson(read, 'grin')) }
    })
    agree(json, ours, await theirs)
  },
}

type Exported = ReturnType<Library['proof']['paymentProofJson']>

function alter(dice: Dice, library: Library, exported: Exported): object {
  const name = dice.pick(['excess', 'recipient_sig', 'sender_sig'] as const)
  const party = dice.pick(['recipient_address', 'sender_address'] as const)
  const edits = [
    () => ({ ...exported, amount: `${dice.u64()}` }),
    () => ({ ...exported, amount: Number(BigInt(exported.amount) >> 11n) }),
    () => ({ ...exported, [name]: toHex(damaged(dice, fromHex(exported[name]), false)) }),
    () => ({ ...exported, [name]: toHex(damaged(dice, fromHex(exported[name]))) }),
    () => ({ ...exported, [name]: exported[name].toUpperCase() }),
    () => ({ ...exported, [party]: exported[party].toUpperCase() }),
    () => ({
      ...exported,
      [party]: library.slatepack.formatAddress('grin', library.slatepack.addressOfSeed(dice.bytes(32))),
    }),
    () => ({ ...exported, recipient_sig: exported.sender_sig, sender_sig: exported.recipient_sig }),
    () => ({ ...exported, recipient_address: exported.sender_address, sender_address: exported.recipient_address }),
    () => Object.fromEntries(Object.entries(exported).filter(([key]) => key !== name)),
    () => ({ ...exported, note: 'more' }),
    () => Object.fromEntries(dice.shuffled(Object.entries(exported))),
    // s + L in place of s: the same number modulo the group order
    () => ({ ...exported, [name]: name === 'excess' ? exported.excess : raised(exported[name]) }),
  ]
  return dice.pick(edits)()
}

const L = 2n ** 252n + 27742317777372353535851937790883648493n

function raised(signature: string): string {
  const s = BigInt(`0x${toHex(fromHex(signature.slice(64)).reverse())}`) + L
  return signature.slice(0, 64) + toHex(fromHex(s.toString(16).padStart(64, '0')).reverse())
}
