// test/vectors/wallet/payment_proof.json and test/vectors/real/payment-proof: proofs of real wallets.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import {
  checkPaymentProof,
  completeProof,
  makeReceiverProof,
  parsePaymentProof,
  paymentProofJson,
  paymentProofMessage,
  receiverProofJson,
  verifyReceiverProof,
} from '../../../src/grin/proof/index.js'
import { parseSlateJson } from '../../../src/grin/slate/index.js'
import { addressOfSeed } from '../../../src/grin/slatepack/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { walletOf } from '../../support/grin.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const file = vectors('wallet/payment_proof.json')
const [sender, recipient] = [file.sender_mnemonic, file.recipient_mnemonic].map((words) =>
  walletOf(words).addressSeed(0, 0),
)
const content = {
  amount: nanoGrin(BigInt(file.amount)),
  excess: bytes(file.kernel_excess),
  sender: addressOfSeed(sender!),
}

test('the message and both signatures are the same', () => {
  expect(toHex(paymentProofMessage(content))).toBe(file.message)
  const half = makeReceiverProof(content, recipient!)
  expect(verifyReceiverProof(half)).toBe(true)
  expect(toHex(half.signature)).toBe(file.exported.recipient_sig)
  const proof = completeProof(half, sender!)
  expect(JSON.stringify(paymentProofJson(proof, 'grin'))).toBe(file.exported_text)
  expect(toHex(parseSlateJson(file.s2.json).proof!.signature!)).toBe(toHex(half.signature))
})

test('the receipt form has hex keys', () => {
  const half = makeReceiverProof(content, recipient!)
  expect(receiverProofJson(half)).toEqual({
    amount: content.amount,
    kernel_excess: file.kernel_excess,
    recipient_address: toHex(addressOfSeed(recipient!)),
    recipient_sig: file.exported.recipient_sig,
    sender_address: file.message_parts.sender_ed25519_public,
  })
})

/** Upstream looks for the kernel first, so another excess is "not found" there; here its signatures are simply wrong. */
const CODES: Readonly<Record<string, string>> = {
  'Payment Proof generation error: Invalid recipient signature': 'PROOF_RECIPIENT_SIGNATURE',
  'Payment Proof generation error: Invalid sender signature': 'PROOF_SENDER_SIGNATURE',
}

describe('verification', () => {
  // biome-ignore lint/suspicious/noExplicitAny: recorded verdicts, as they are
  test.each<any>(file.verification)('$case', async ({ proof, result }) => {
    const code = await codeOf(() => checkPaymentProof(parsePaymentProof(proof, 'grin')))
    if (!result.parsed) return expect(code).toBe('PROOF_INVALID')
    expect(code).toBe(result.third_party.ok ? 'ok' : (CODES[result.third_party.error] ?? 'PROOF_RECIPIENT_SIGNATURE'))
  })
})

test('the proof a real wallet exported verifies, on its own chain only', async () => {
  const exported = vectors('real/payment-proof/proof.json')
  const proof = parsePaymentProof(exported, 'tgrin')
  checkPaymentProof(proof)
  expect(paymentProofJson(proof, 'tgrin')).toEqual(exported)
  expect(await codeOf(() => parsePaymentProof(exported, 'grin'))).toBe('PROOF_INVALID')
})

test('arbitrary values throw only the documented error', async () => {
  const names = Object.keys(file.exported)
  const changed = fc
    .tuple(fc.constantFrom(...names), fc.jsonValue())
    .map(([name, value]) => ({ ...file.exported, [name]: value }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.anything(), changed), async (value) => {
      expect(await codeOf(() => checkPaymentProof(parsePaymentProof(value, 'grin')))).toMatch(/^(PROOF_[A-Z_]+|ok)$/)
    }),
  )
})
