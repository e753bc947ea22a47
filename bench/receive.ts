// One whole receive, S1 to S2 with a payment proof and the armored reply: processor time of both threads, once warm.
import { nanoGrin } from '../src/grin/amount/index.js'
import { proveRange } from '../src/grin/crypto/index.js'
import { openKeychain, outputIdentifier } from '../src/grin/keychain/index.js'
import { createS1, planSpend } from '../src/grin/payer/index.js'
import { ownAddresses, receiveS1, replyArmor } from '../src/grin/receive/index.js'
import { armorSlate, readSlatepack } from '../src/grin/slatepack/index.js'
import { systemRandom as random } from '../src/system/index.js'
import { createRangeWorkers } from '../src/workers/index.js'
import { type Measurement, processorMs } from './measurement.js'

export const name = 'receive'

export async function run(): Promise<readonly Measurement[]> {
  const [payer, keychain] = [openKeychain(new Uint8Array(32).fill(1)), openKeychain(new Uint8Array(32).fill(2))]
  const addresses = ownAddresses(keychain)
  const sender = addresses[0]?.publicKey ?? new Uint8Array(32)
  const amount = nanoGrin(1_500_000_000n)
  const coins = [{ identifier: outputIdentifier(0, 0), value: 60_000_000_000n }]
  const seed = payer.addressSeed(0, 0)
  const spend = planSpend(coins, amount, outputIdentifier(0, 1))
  const request = createS1({ amount, spend, id: random.uuid(), random, proof: { recipient: sender, seed } })
  const text = armorSlate(request.slate, { prefix: 'grin', sender })
  let keyIndex = 0
  const workers = createRangeWorkers({ threads: 1 })
  await workers.ready

  const receive = async (): Promise<void> => {
    const { slate } = await readSlatepack(text, { prefix: 'grin' })
    const rules = { amount, tip: 0, addresses }
    const received = await receiveS1({ keychain, slate, rules, keyIndex: keyIndex++, prove: workers.prove, random })
    await replyArmor(received.slate, { prefix: 'grin', sender, random })
  }
  const whole = await processorMs(receive, 30, 15)
  await workers.close()
  const proof = await processorMs(() => proveRange(keychain.proofInput(outputIdentifier(0, 1), amount)), 20, 5)
  return [
    {
      what: 'one receive (S1 to S2), proof in a worker thread',
      value: whole,
      unit: 'ms processor',
      ratio: { to: 'one range proof', value: whole / proof },
      target: { of: 'value', atMost: 90 },
    },
  ]
}
