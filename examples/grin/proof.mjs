// Payment proof: the payer can show to anybody that this address was paid this amount. Two signatures and a kernel on the chain say so.
import { amount, keychain, proof, receive, send, slatepack, tx } from '@grinpay/grin'
import { askNode, startChain } from './chain.mjs'

const prefix = 'tgrin' // 'grin' on mainnet
const chain = await startChain()
const payer = keychain.openKeychain(keychain.newSeed())
const payee = keychain.openKeychain(keychain.newSeed())

// 1. The payer asks for the proof in the S1: of the receiver's address, signed with the key of its own.
const value = amount.parseGrin('1.5')
const coin = await chain.grant(payer, keychain.outputIdentifier(0, 0), amount.parseGrin('60'))
const spend = send.planSpend([coin], value, keychain.outputIdentifier(0, 1))
const [{ publicKey: recipient }] = receive.ownAddresses(payee)
const started = send.createS1({ amount: value, spend, proof: { recipient, seed: payer.addressSeed(0, 0) } })

// 2. The receiver signs amount, kernel and both addresses together with its S2; it refuses to sign for an address that it does not have.
const payment = await receive.receiveS1({ keychain: payee, slate: started.slate, keyIndex: 0 })

// 3. The payer checks that signature before it signs the payment: without the proof there is no transaction.
const paid = await send.finalizeS2({ keychain: payer, pending: started.pending, slate: payment.slate })
await askNode(chain.url, 'push_transaction', tx.transactionJson(paid.transaction), true)
chain.mine()

// 4. The file that `grin-wallet verify_proof` reads.
const file = JSON.stringify(proof.paymentProofJson(paid.proof, prefix), null, 2)
console.log(file)

// 5. Who gets the file checks both signatures, and asks a node whether the kernel is on the chain.
const shown = proof.parsePaymentProof(JSON.parse(file), prefix)
proof.checkPaymentProof(shown)
const kernel = await askNode(chain.url, 'get_kernel', Buffer.from(shown.excess).toString('hex'), null, null)
const paidTo = slatepack.formatAddress(prefix, shown.recipient)
console.log(`proven   ${amount.formatGrin(shown.amount)} GRIN to ${paidTo}, block ${kernel.height}`)

// A proof with another amount has no valid signature.
const forged = { ...JSON.parse(file), amount: '2500000000' }
try {
  proof.checkPaymentProof(proof.parsePaymentProof(forged, prefix))
} catch (error) {
  console.log(`refused  ${error.code}`)
}
chain.close()
