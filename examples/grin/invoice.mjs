// Invoice flow: the payee asks with an I1, the payer answers with an I2, the payee completes and hands the transaction to a node. The
// payer need not come back, so this flow suits shops.
import { amount, invoice, keychain, send, slatepack, tx } from '@grinpay/grin'
import { askNode, startChain } from './chain.mjs'

const prefix = 'tgrin' // 'grin' on mainnet
const chain = await startChain()
const payee = keychain.openKeychain(keychain.newSeed())
const payer = keychain.openKeychain(keychain.newSeed())
const addressKeyOf = (keys) => slatepack.addressOfSeed(keys.addressSeed(0, 0))

// 1. The payee issues. Store `issued.invoice` with its secrets before the I1 leaves; they sign one answer, once.
const value = amount.parseGrin('1.5')
const issued = await invoice.issueInvoice({ keychain: payee, amount: value, keyIndex: 0 })
const i1 = slatepack.armorSlate(issued.slate, { prefix, sender: addressKeyOf(payee) })
console.log(`asked    ${amount.formatGrin(issued.slate.amount)} GRIN`)

// 2. The payer reads the amount from the I1, chooses coins, signs. Lock the coins and store the I2 before it leaves.
const coin = await chain.grant(payer, keychain.outputIdentifier(0, 0), amount.parseGrin('60'))
const asked = await slatepack.readSlatepack(i1, { prefix })
const spend = send.planSpend([coin], asked.slate.amount, keychain.outputIdentifier(0, 1))
const answer = await invoice.payI1({ keychain: payer, slate: asked.slate, spend })
const i2 = await slatepack.armorSlateTo([asked.sender], answer.slate, { prefix, sender: addressKeyOf(payer) })

// 3. The payee completes: signature, range proofs and balance are checked, which fixes the amount.
const paid = await slatepack.readSlatepack(i2, { prefix, decryptWith: [payee.addressSeed(0, 0)] })
const { height: tip } = await askNode(chain.url, 'get_tip')
const final = await invoice.finalizeInvoice({ keychain: payee, invoice: issued.invoice, slate: paid.slate, tip })
await askNode(chain.url, 'push_transaction', tx.transactionJson(final.transaction), true)
chain.mine()

const kernel = await askNode(chain.url, 'get_kernel', Buffer.from(final.excess).toString('hex'), null, null)
console.log(`paid     ${amount.formatGrin(value)} GRIN in block ${kernel.height}`)
chain.close()
