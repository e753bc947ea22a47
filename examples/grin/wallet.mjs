// The wallet of the library: it chooses coins, locks them, stores before a slate leaves, watches the chain, and comes back from its
// words. The other examples show the same flows without it.
import { amount, keychain, wallet } from '@grinpay/grin'
import { startChain } from './chain.mjs'

const chain = await startChain()
const node = wallet.createFetchNode({ url: chain.url })
const words = keychain.mnemonicFromEntropy(keychain.newSeed())

/** In memory; `wallet.openIndexedDbStorage` keeps it in a browser, and a storage of your own needs two methods. */
const openOf = (text, storage = wallet.createMemoryStorage()) => {
  const keys = keychain.openKeychain(keychain.entropyFromMnemonic(text))
  return wallet.openWallet({ keychain: keys, chainType: 'sandbox', storage })
}
const grin = (nanogrin) => `${amount.formatGrin(nanogrin)} GRIN`

// The payer's words already own two outputs on the chain, which is deep enough by now.
const keys = keychain.openKeychain(keychain.entropyFromMnemonic(words))
await chain.grant(keys, keychain.outputIdentifier(0, 0), amount.parseGrin('60'))
await chain.grant(keys, keychain.outputIdentifier(0, 1), amount.parseGrin('5'))
chain.mine(10)

// 1. Restore: from the words to the balance.
const payer = await openOf(words)
const { found } = await payer.restore({ node })
console.log(`restored ${found} outputs, ${grin((await payer.balance()).spendable)} to spend`)

// 2. Send: S1 to the address, S2 back, transaction to the node. The payment proof comes with the address.
const payee = await openOf(keychain.mnemonicFromEntropy(keychain.newSeed()))
const s1 = await payer.send({ amount: amount.parseGrin('1.5'), recipient: await payee.address(), label: 'honey' })
const s2 = await payee.receive(s1.slatepack)
const { slateId } = await payer.finalize(s2.slatepack)
await payer.post(slateId, { node })
chain.mine()
await payer.refresh({ node })
console.log(`sent     ${grin(s1.amount)}, fee ${grin(s1.fee)}`)

// 3. Who gets the proof of that payment can verify it with any wallet and node.
const proof = await payer.paymentProof(slateId)
const { confirmations, recipientIsOurs } = await payee.verifyProof(proof, { node })
console.log(`proven   ${confirmations} confirmation(s), paid to us: ${recipientIsOurs}`)

// 4. Invoice flow: the payee asks, the payer answers, the payee posts.
const i1 = await payee.invoice({ amount: amount.parseGrin('0.25') })
const i2 = await payer.pay(i1.slatepack)
const paid = await payee.finalize(i2.slatepack)
await payee.post(paid.slateId, { node })
chain.mine()
await Promise.all([payer.refresh({ node }), payee.refresh({ node })])

// 5. An unanswered payment is cancelled: its coins are free again.
const never = await payer.send({ amount: amount.parseGrin('1'), minConfirmations: 1 })
await payer.cancel(never.slateId)

for (const { kind, status, amount: value, label = '' } of await payee.transactions())
  console.log(`payee    ${kind} ${status} ${grin(value)} ${label}`.trimEnd())
for (const { kind, status, amount: value, label = '' } of await payer.transactions())
  console.log(`payer    ${kind} ${status} ${grin(value)} ${label}`.trimEnd())
chain.close()
