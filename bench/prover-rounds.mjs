// Proves, verifies and receives with a prover of the packed library, one call at a time. Runs in Node and in a page as it is.
import { amount, keychain, receive, send } from '@grinpay/grin'

const payee = keychain.openKeychain(new Uint8Array(32).fill(2))
const value = amount.parseGrin('1.5')
const coin = { identifier: keychain.outputIdentifier(0, 0), value: amount.parseGrin('60'), coinbase: true }
const spend = send.planSpend([coin], value, keychain.outputIdentifier(0, 1))

async function timed(work) {
  const start = performance.now()
  const made = await work()
  return { made, ms: performance.now() - start }
}

/** Milliseconds by the clock of every round. One thread; three rounds before the first that counts. */
export async function measureRounds(createProver, rounds) {
  const prover = createProver({ threads: 1 })
  await prover.ready
  const samples = { prove: [], verify: [], receive: [] }
  for (let round = -3; round < rounds; round++) {
    const at = round + 10
    const input = payee.proofInput(keychain.outputIdentifier(0, at), value + BigInt(at))
    const { slate } = send.createS1({ amount: value, spend })
    const proved = await timed(() => prover.prove(input))
    const verified = await timed(() => prover.verify(input.commitment, proved.made))
    if (!verified.made) throw new Error('a proof does not verify')
    const received = await timed(() => receive.receiveS1({ keychain: payee, slate, keyIndex: 1000 + at, prover }))
    if (round < 0) continue
    samples.prove.push(proved.ms)
    samples.verify.push(verified.ms)
    samples.receive.push(received.ms)
  }
  await prover.close()
  return samples
}
