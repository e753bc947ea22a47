// Signed receipts. Vectors: test/vectors/pay/receipt.json.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { isSignedBy, publicKeyOf } from '../../../src/nostr/keys/index.js'
import { receiptOf, signReceipt } from '../../../src/till/payments/receipts.js'
import { aSlate } from '../../support/fake-wallet.js'
import { aPayment, grin, NOON } from '../../support/till-builders.js'
import { openTill, refusalOf } from '../../support/till-parts.js'
import { bytes, vectors } from '../../support/vectors.js'

const { vectors: signed, field_order, proof_member_order } = vectors('pay/receipt.json')

describe('receipts', () => {
  test.each<{ server_secret: string; canonical_json: string; signed: { receipt: never; sig: string } }>(signed)(
    'vector $sha256',
    ({ server_secret, canonical_json, signed: { receipt, sig } }) => {
      expect(signReceipt(receipt, new Secret(bytes(server_secret)))).toEqual({ receipt, sig })
      expect(JSON.stringify(receipt)).toBe(canonical_json)
    },
  )

  test('members stand in the order that is hashed', () => {
    const proof = {
      amount: grin(2),
      kernelExcess: '08'.repeat(33),
      recipientAddress: '22'.repeat(32),
      recipientSig: '33'.repeat(64),
      senderAddress: '11'.repeat(32),
    }
    const receipt = receiptOf(aPayment({ proof, minedHeight: 7 }), 'aa'.repeat(32), NOON)
    expect(Object.keys(receipt)).toEqual(field_order)
    expect(Object.keys(receipt.proof ?? {})).toEqual(proof_member_order)
    expect(receipt.proof).toMatchObject({ amount: 2_000_000_000 })
  })

  test('a vector is reproduced from a payment', () => {
    const { server_secret, canonical_json } = signed[1]
    const secret = new Secret(bytes(server_secret))
    const payment = aPayment({
      id: 'b6f7c2a0-1234-5678-9abc-def012345678',
      amount: nanoGrin(2_500_000_000n),
      excess: bytes('09'.repeat(33)),
    })
    expect(JSON.stringify(receiptOf(payment, publicKeyOf(secret), NOON))).toBe(canonical_json)
  })

  test('the till signs with its own key, before and after confirmation', async () => {
    const { till, chain } = openTill()
    const { invoice } = await till.createInvoice({ amountNanogrin: grin(2) })
    const { payment } = await till.pasteSlatepack(invoice.token, aSlate())
    expect((await till.receipt(payment.id)).receipt).toMatchObject({ confirmed_height: null, proof: null })
    chain.mine(payment, chain.height - 20)
    await till.passes.confirm()
    const { receipt, sig } = await till.receipt(payment.id)
    expect(receipt).toMatchObject({ payment_id: payment.id, confirmed_height: chain.height - 20 })
    const digest = createHash('sha256').update(JSON.stringify(receipt)).digest()
    expect(isSignedBy(till.identity.pubkey, new Uint8Array(digest), sig)).toBe(true)
    expect(receipt.server_pubkey).toBe(till.identity.pubkey)
  })

  test('an unknown payment is 404, a till without identity 503', async () => {
    expect(await refusalOf(openTill().till.receipt('x'))).toEqual({ status: 404, text: 'payment not found' })
    const { till, store } = openTill({ settings: { ingest: false } })
    const payment = aPayment()
    await store.acceptPayment(payment, null, NOON, NOON)
    expect(await refusalOf(till.receipt(payment.id))).toEqual({
      status: 503,
      text: 'receipt signing unavailable (server identity not loaded)',
    })
  })
})
