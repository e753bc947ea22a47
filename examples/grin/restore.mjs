// Restore: from the words alone to the coins. A wallet's outputs are found by rewinding the range proofs of all unspent outputs.
import { amount, keychain, scan } from '@grinpay/grin'
import { askNode, startChain } from './chain.mjs'

const chain = await startChain()

// What is on the chain: three outputs of the lost wallet, in two accounts, among those of others.
const words = keychain.mnemonicFromEntropy(keychain.newSeed())
const lost = keychain.openKeychain(keychain.entropyFromMnemonic(words))
const other = keychain.openKeychain(keychain.newSeed())
for (let index = 0; index < 4; index++) {
  await chain.grant(other, keychain.outputIdentifier(0, index), amount.parseGrin('7'))
  if (index < 2) await chain.grant(lost, keychain.outputIdentifier(0, index), amount.parseGrin('2.5'))
}
await chain.grant(lost, keychain.outputIdentifier(3, 8), amount.parseGrin('0.25'))

// 1. The words give the keys; mistyped ones have a fault.
console.log(`words    ${keychain.mnemonicFault(words) ?? 'valid'}`)
const keys = keychain.openKeychain(keychain.entropyFromMnemonic(words))

// 2. Page by page through the unspent outputs. Store `next` after each page: that is where an interrupted restore goes on.
const bytes = (hex) => new Uint8Array(Buffer.from(hex, 'hex'))
const found = []
for (let next = 1, end = 1; next <= end; ) {
  const page = await askNode(chain.url, 'get_unspent_outputs', next, null, 3, true)
  const outputs = page.outputs.map(({ commit, proof, block_height: height }) => {
    return { commitment: bytes(commit), proof: bytes(proof), height }
  })
  found.push(...scan.ownOutputs(keys, outputs))
  end = page.highest_index
  next = page.last_retrieved_index + 1
}

// 3. Each has its key path and amount. Key indices up to the highest found one are used: go on after it.
for (const { identifier, value, output } of found) {
  console.log(`found    ${keychain.formatPath(identifier)} ${amount.formatGrin(value)} GRIN, block ${output.height}`)
}
const total = found.reduce((sum, { value }) => sum + value, 0n)
console.log(`restored ${amount.formatGrin(total)} GRIN`)
chain.close()
