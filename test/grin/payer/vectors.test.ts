// The payer's half of run_standard.json and run_invoice.json: same secrets and coins, same S1, S3 and I2.
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { createS1With, finalizeS2, payI1With, type Spend } from '../../../src/grin/payer/index.js'
import { decodeSlate } from '../../../src/grin/slate/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { prove, secretsOf, verify, walletOf } from '../../support/grin.js'
import { bytes, vectors } from '../../support/vectors.js'

// biome-ignore lint/suspicious/noExplicitAny: recorded runs, as they are
type Run = any

const coin = ({ identifier, value }: { identifier: string; value: string }) => ({
  identifier: bytes(identifier),
  value: BigInt(value),
})
const spendOf = (secrets: Run, fee: string): Spend => ({
  coins: secrets.inputs.map(coin),
  change: secrets.outputs.map(coin),
  fee: BigInt(fee),
})

const standard = vectors('wallet/run_standard.json')
const sending: Run[] = [...standard.runs, ...standard.through_the_wallet_api].filter(
  // The payer of ours makes plain kernels only; the late-lock run was recorded without its secrets.
  ({ name, sender }) => sender && !name.startsWith('height locked'),
)
describe.each<Run>(sending)('sending: $name', (run) => {
  test('S1 and S3 are the same, byte for byte', async () => {
    const keychain = walletOf(run.sender_mnemonic)
    const s1 = decodeSlate(bytes(run.s1.bin))
    const { secrets } = run.sender
    const proof = s1.proof && {
      recipient: s1.proof.receiver,
      seed: keychain.addressSeed(0, run.sender.address_index ?? 0),
    }
    const started = createS1With(secretsOf(secrets), {
      amount: nanoGrin(BigInt(secrets.amount)),
      spend: spendOf(secrets, secrets.fee_fields),
      id: s1.id,
      ttl: s1.ttl,
      headerVersion: s1.headerVersion,
      ...(proof && { proof }),
    })
    expect(toHex(started.bytes)).toBe(run.s1.bin)
    const reply = decodeSlate(bytes(run.s2.bin))
    const done = await finalizeS2({ keychain, pending: started.pending, slate: reply, prove, verifyRange: verify })
    expect(toHex(done.bytes)).toBe(run.s3.bin)
    expect(toHex(done.excess)).toBe(run.final.kernel_excess)
    expect(done.proof !== undefined).toBe(proof !== undefined)
  })
})

const { runs, through_the_wallet_api } = vectors('wallet/run_invoice.json')
describe.each<Run>([...runs, ...through_the_wallet_api])('paying an invoice: $name', (run) => {
  test('the I2 is the same, byte for byte', async () => {
    const i2 = decodeSlate(bytes(run.i2.bin))
    const { slate, bytes: made } = await payI1With(secretsOf(run.payer.secrets), {
      keychain: walletOf(run.payer_mnemonic),
      slate: decodeSlate(bytes(run.i1.bin)),
      spend: spendOf(run.payer.secrets, `${i2.fee}`),
      ttl: i2.ttl,
      prove,
    })
    expect(slate.state).toBe('I2')
    expect(toHex(made)).toBe(run.i2.bin)
  })
})
