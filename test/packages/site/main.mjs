// A page as an application has it: reads a pasted slatepack, receives with proofs from a Web Worker, answers.
import { proveRange, verifyRange } from '@grinpay/grin/crypto'
import { entropyFromMnemonic, openKeychain } from '@grinpay/grin/keychain'
import { createProver } from '@grinpay/grin/prover'
import { receiveS1, replyArmor } from '@grinpay/grin/receive'
import { addressOfSeed, readSlatepack } from '@grinpay/grin/slatepack'

const prefix = 'tgrin'
const scripts = []
globalThis.Worker = class extends Worker {
  constructor(url, options) {
    super(url, options)
    scripts.push(`${url}`)
  }
}

async function receiveOnce() {
  const { wallets } = await (await fetch('/vectors/real/wallets.json')).json()
  const pasted = await (await fetch('/vectors/real/standard-encrypted-proof/S1.slatepack')).text()
  const keychain = openKeychain(entropyFromMnemonic(wallets.bob.mnemonic))
  const seed = keychain.addressSeed(0, 0)
  const request = await readSlatepack(pasted, { prefix, decryptWith: [seed] })
  const prover = createProver({ threads: 2 })
  await prover.ready
  const payment = await receiveS1({ keychain, slate: request.slate, keyIndex: 5, prover })
  const reply = await replyArmor(payment.slate, { prefix, sender: addressOfSeed(seed), request })
  const { commitment, rangeProof } = payment
  const verdicts = [await prover.verify(commitment, rangeProof), await prover.verify(commitment, new Uint8Array(675))]
  const again = proveRange(keychain.proofInput(payment.identifier, payment.amount))
  await prover.close()
  const closed = await prover.verify(commitment, rangeProof).catch((error) => error.code)
  const same = again.every((byte, i) => byte === rangeProof[i]) && verifyRange(commitment, rangeProof)
  return { amount: `${payment.amount}`, armored: reply.slice(0, 15), verdicts, same, closed, scripts }
}

const body = await receiveOnce().then(
  (results) => ({ results }),
  (error) => ({ error: `${error?.stack ?? error}` }),
)
await fetch('/report', { method: 'POST', body: JSON.stringify({ agent: navigator.userAgent, ...body }) })
