// Receive: the payer's S1 comes in as text, the S2 goes back as text, and the kernel on the chain says that the money is there.
import { amount, keychain, receive, send, slatepack, tx } from '@grinpay/grin'
import { askNode, startChain } from './chain.mjs'

const prefix = 'tgrin' // 'grin' on mainnet
const chain = await startChain()

// The seed is the wallet: write its 24 words on paper. The address is what a payer needs.
const seed = keychain.newSeed()
const words = keychain.mnemonicFromEntropy(seed)
const keys = keychain.openKeychain(keychain.entropyFromMnemonic(words))
const own = slatepack.addressOfSeed(keys.addressSeed(0, 0))
const address = slatepack.formatAddress(prefix, own)
console.log(`address  ${address}`)

// A payer somewhere makes an S1 of 1.5 GRIN, encrypted to the address.
const payer = keychain.openKeychain(keychain.newSeed())
const coin = await chain.grant(payer, keychain.outputIdentifier(0, 0), amount.parseGrin('60'))
const value = amount.parseGrin('1.5')
const spend = send.planSpend([coin], value, keychain.outputIdentifier(0, 1))
const started = send.createS1({ amount: value, spend })
const payerKey = slatepack.addressOfSeed(payer.addressSeed(0, 0))
const to = slatepack.parseAddress(address, prefix)
const pasted = await slatepack.armorSlateTo([to], started.slate, { prefix, sender: payerKey })

// 1. Read what was pasted. `decryptWith` are the seeds of the addresses that it may be encrypted to.
const request = await slatepack.readSlatepack(pasted, { prefix, decryptWith: [keys.addressSeed(0, 0)] })

// 2. Look at it before a key is used: a refusal has a code and a text for the payer.
const refusal = receive.checkS1(request.slate, { amount: amount.parseGrin('2') })
console.log(`refused  ${refusal?.code}`)

// 3. Sign. `keyIndex` must never be used again: take the next one from your store. If the same S1 comes twice, answer from the store.
const payment = await receive.receiveS1({ keychain: keys, slate: request.slate, keyIndex: 0, amount: value })
// … here `payment` is stored: slate id, digest of the S1, key index, the S2, the excess …

// 4. Answer, encrypted to the payer if the request was encrypted.
const reply = await receive.replyArmor(payment.slate, { prefix, sender: own, request })
console.log(`answered ${amount.formatGrin(payment.amount)} GRIN`)

// The payer completes the transaction and hands it to a node.
const answer = await slatepack.readSlatepack(reply, { prefix, decryptWith: [payer.addressSeed(0, 0)] })
const paid = await send.finalizeS2({ keychain: payer, pending: started.pending, slate: answer.slate })
await askNode(chain.url, 'push_transaction', tx.transactionJson(paid.transaction), true)
chain.mine()

// 5. The money is there when the kernel is in a block, and safe when enough blocks lie on top of it.
const excess = Buffer.from(payment.excess).toString('hex')
const kernel = await askNode(chain.url, 'get_kernel', excess, null, null)
const { height } = await askNode(chain.url, 'get_tip')
console.log(`received ${amount.formatGrin(payment.amount)} GRIN, ${height - kernel.height + 1} confirmation(s)`)
chain.close()
