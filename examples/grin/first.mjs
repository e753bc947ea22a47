// Two wallets in one program: a payer sends 1.5 GRIN to an address, and both together make the transaction for a node.
import { amount, keychain, receive, send, slatepack } from '@grinpay/grin'

const prefix = 'tgrin' // 'grin' on mainnet
const payee = keychain.openKeychain(keychain.newSeed())
const own = slatepack.addressOfSeed(payee.addressSeed(0, 0))
console.log('pay to', slatepack.formatAddress(prefix, own))

// The payer spends a coin of 60 GRIN: the rest comes back as change.
const payer = keychain.openKeychain(keychain.newSeed())
const value = amount.parseGrin('1.5')
const coin = { identifier: keychain.outputIdentifier(0, 0), value: amount.parseGrin('60') }
const spend = send.planSpend([coin], value, keychain.outputIdentifier(0, 1))
const { slate, pending } = send.createS1({ amount: value, spend })
const sender = slatepack.addressOfSeed(payer.addressSeed(0, 0))
const s1 = await slatepack.armorSlateTo([own], slate, { prefix, sender })

// The payee answers. A key index is used once: store which one is next.
const request = await slatepack.readSlatepack(s1, { prefix, decryptWith: [payee.addressSeed(0, 0)] })
const payment = await receive.receiveS1({ keychain: payee, slate: request.slate, keyIndex: 0, amount: value })
const s2 = await receive.replyArmor(payment.slate, { prefix, sender: own, request })

// The payer completes it: `transaction` is what `push_transaction` of a node takes.
const reply = await slatepack.readSlatepack(s2, { prefix, decryptWith: [payer.addressSeed(0, 0)] })
const { transaction } = await send.finalizeS2({ keychain: payer, pending, slate: reply.slate })
console.log('paid', amount.formatGrin(payment.amount), 'GRIN,', transaction.outputs.length, 'outputs')
