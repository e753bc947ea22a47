// Two wallets pay each other by slatepack, in both flows, with the front door of the package alone.
import { amount, errors, invoice, keychain, proof, receive, scan, send, slatepack, tx } from '@grinpay/grin'

const prefix = 'tgrin'
const [payer, payee] = [1, 2].map((byte) => keychain.openKeychain(new Uint8Array(32).fill(byte)))
const at = (index) => keychain.outputIdentifier(0, index)
const addressOf = (keys) => slatepack.addressOfSeed(keys.addressSeed(0, 0))
const coins = [{ identifier: at(0), value: amount.parseGrin('60'), coinbase: true }]
const value = amount.parseGrin('1.5')

// Standard flow: S1 → S2 → transaction, encrypted both ways, with a payment proof of account 3 of the payee.
const [own] = receive.ownAddresses(payee, { account: 3 })
const started = send.createS1({
  amount: value,
  spend: send.planSpend(coins, value, at(1)),
  proof: { recipient: own.publicKey, seed: payer.addressSeed(0, 0) },
})
const s1 = await slatepack.armorSlateTo([own.publicKey], started.slate, { prefix, sender: addressOf(payer) })
const request = await slatepack.readSlatepack(s1, { prefix, decryptWith: [payee.addressSeed(3, 0)] })
const payment = await receive.receiveS1({
  keychain: payee,
  slate: request.slate,
  account: 3,
  keyIndex: 7,
  amount: value,
})
const s2 = await receive.replyArmor(payment.slate, { prefix, sender: own.publicKey, request })
const reply = await slatepack.readSlatepack(s2, { prefix, decryptWith: [payer.addressSeed(0, 0)] })
const paid = await send.finalizeS2({ keychain: payer, pending: started.pending, slate: reply.slate })
proof.checkPaymentProof(proof.parsePaymentProof(proof.paymentProofJson(paid.proof, prefix), prefix))
console.log('standard', (await tx.validateTransaction(paid.transaction)) ?? 'valid', amount.formatGrin(payment.amount))

// The payee finds its output in account 3, and nobody else's.
const found = scan.ownOutputs(payee, paid.transaction.outputs)
console.log('found', found.map(({ identifier, value }) => `${keychain.formatPath(identifier)} ${value}`).join())

// Invoice flow: I1 → I2 → transaction.
const issued = await invoice.issueInvoice({ keychain: payee, amount: value, keyIndex: 8 })
const answer = await invoice.payI1({ keychain: payer, slate: issued.slate, spend: send.planSpend(coins, value, at(2)) })
const final = await invoice.finalizeInvoice({ keychain: payee, invoice: issued.invoice, slate: answer.slate })
console.log('invoice', (await tx.validateTransaction(final.transaction)) ?? 'valid')

const refused = await receive
  .receiveS1({ keychain: payee, slate: request.slate, keyIndex: 9, amount: 1n })
  .catch((error) => error)
console.log('refused', refused instanceof errors.GrinpayError, refused.code)
