// Send: an S1 to the receiver, the S2 back, the transaction to a node.
import { amount, keychain, receive, send, slatepack, tx } from '@grinpay/grin'
import { askNode, startChain } from './chain.mjs'

const prefix = 'tgrin' // 'grin' on mainnet
const chain = await startChain()

// The payer has 60 GRIN under its key 0. Key indices are used once: keep the next free one in your store.
const keys = keychain.openKeychain(keychain.newSeed())
const coin = await chain.grant(keys, keychain.outputIdentifier(0, 0), amount.parseGrin('60'))

/** The receiver, anywhere: text in, text out. What it does is in receive.mjs. */
const payee = keychain.openKeychain(keychain.newSeed())
const payeeKey = slatepack.addressOfSeed(payee.addressSeed(0, 0))
async function receiver(s1) {
  const request = await slatepack.readSlatepack(s1, { prefix, decryptWith: [payee.addressSeed(0, 0)] })
  const { slate } = await receive.receiveS1({ keychain: payee, slate: request.slate, keyIndex: 0 })
  return receive.replyArmor(slate, { prefix, sender: payeeKey, request })
}
const address = slatepack.formatAddress(prefix, payeeKey)

// 1. Coins, change and fee. All given coins are spent; the rest comes back under a key that was never used.
const value = amount.parseGrin('1.5')
const spend = send.planSpend([coin], value, keychain.outputIdentifier(0, 1))
const { fee } = tx.splitFee(spend.fee)
console.log(
  `sending  ${amount.formatGrin(value)} GRIN, fee ${amount.formatGrin(fee)}, change ${amount.formatGrin(spend.change[0].value)}`,
)

// 2. The S1. Store `pending` before the S1 leaves: its secrets sign one answer, once.
const { slate, pending } = send.createS1({ amount: value, spend })
const sender = slatepack.addressOfSeed(keys.addressSeed(0, 0))
const s1 = await slatepack.armorSlateTo([slatepack.parseAddress(address, prefix)], slate, { prefix, sender })
console.log(s1.split(' ', 1)[0])

// 3. The receiver's answer completes the transaction: sums, signatures and range proofs are checked before it is returned.
const reply = await slatepack.readSlatepack(await receiver(s1), { prefix, decryptWith: [keys.addressSeed(0, 0)] })
const paid = await send.finalizeS2({ keychain: keys, pending, slate: reply.slate })

// 4. Store the transaction, then hand it to a node; pushing it again does no harm.
await askNode(chain.url, 'push_transaction', tx.transactionJson(paid.transaction), true)
chain.mine()

// 5. The kernel in a block: the payment happened, and the change may be spent.
const excess = Buffer.from(paid.excess).toString('hex')
const kernel = await askNode(chain.url, 'get_kernel', excess, null, null)
console.log(`sent     ${amount.formatGrin(value)} GRIN in block ${kernel.height}`)
chain.close()
