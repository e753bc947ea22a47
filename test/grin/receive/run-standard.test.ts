// test/vectors/wallet/run_standard.json: S1 → S2 → S3 of grin-wallet 5.4.1, replayed with its secrets, byte for byte.
import { describe, expect, test } from 'vitest'
import { outputIdentifier } from '../../../src/grin/keychain/index.js'
import { paymentProofMessage } from '../../../src/grin/proof/index.js'
import { checkS1, ownAddresses, receiveWith } from '../../../src/grin/receive/index.js'
import { decodeSlate, formatSlateJson } from '../../../src/grin/slate/index.js'
import {
  encodeTransaction,
  hasSigned,
  kernelHash,
  minimumFee,
  openSigningSession,
  sealKernel,
  shapeOfTransaction,
  transactionBody,
  transactionHash,
  transactionJson,
  transactionWeight,
  validateTransaction,
} from '../../../src/grin/tx/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { prove, secretsOf, verify, walletOf } from '../../support/grin.js'
import { bytes, codeOf, vectors } from '../../support/vectors.js'

const { runs, through_the_wallet_api } = vectors('wallet/run_standard.json')
// biome-ignore lint/suspicious/noExplicitAny: a recorded run, as it is
type Run = any
const all: Run[] = [...runs, ...through_the_wallet_api]
const withReceiver = all.filter((run) => run.receiver)

/** RULE (4.1): feat 0 and no feat_args. */
const REFUSED = 'height locked kernel (a receiver may refuse it)'
/** The vectors' outputs are all in account 0, at m/0/0/index. */
function replay(run: Run) {
  const keychain = walletOf(run.receiver_mnemonic)
  const { identifier } = run.receiver.output
  const keyIndex = Number.parseInt(identifier.slice(18, 26), 16)
  expect(toHex(outputIdentifier(0, keyIndex))).toBe(identifier)
  // The proof is signed with the key behind `raddr`, index 7 included (RULE 4.1).
  const rules = { tip: 3_000_000, addresses: ownAddresses(keychain, [0, 7]) }
  const slate = decodeSlate(bytes(run.s1.bin))
  return {
    slate,
    rules,
    go: () => receiveWith(secretsOf(run.receiver.secrets), { keychain, slate, rules, keyIndex, prove }),
  }
}

describe.each<Run>(withReceiver.filter(({ name }) => name !== REFUSED))('$name', (run) => {
  test('the S2 is the same, byte for byte', async () => {
    const { go, rules, slate } = replay(run)
    expect(checkS1(slate, { ...rules, amount: slate.amount })).toBeUndefined()
    const received = await go()
    expect(toHex(received.commitment)).toBe(run.receiver.output.commit)
    expect(toHex(received.excess)).toBe(run.receiver.sums_over_both_participants.excess_commitment)
    expect(toHex(received.slate.offset)).toBe(run.receiver.offset_after)
    expect(toHex(received.slate.participants[0]!.part!)).toBe(run.receiver.partial_signature_raw)
    expect([received.amount, received.slateId, received.feeFields]).toEqual([slate.amount, slate.id, slate.fee])
    const { payment_proof } = run.receiver
    if (payment_proof) expect(toHex(paymentProofMessage(received.proof!))).toBe(payment_proof.message)
    else expect(received.proof).toBeUndefined()
    expect(toHex(received.bytes)).toBe(run.s2.bin)
    expect(formatSlateJson(received.slate)).toBe(run.s2.json_text)
    if (payment_proof) expect(toHex(received.proof!.signature)).toBe(payment_proof.signature)
  })
})

test('a height locked S1 is refused before anything is made', async () => {
  const run = all.find(({ name }) => name === REFUSED)
  const { go, rules, slate } = replay(run)
  expect(checkS1(slate, rules)?.code).toBe('S1_FEATURES')
  expect(await codeOf(go)).toBe('S1_FEATURES')
})

describe.each<Run>(all)('the finished transaction: $name', (run) => {
  const s3 = decodeSlate(bytes(run.s3.bin))
  const session = openSigningSession(s3, s3.participants)
  const kernel = sealKernel(s3, s3.participants, session)
  const tx = { offset: s3.offset, ...transactionBody(s3.commitments!), kernels: [kernel] }
  const final = run.final

  test('its kernel and bytes', () => {
    expect(s3.participants.map((one) => hasSigned(one, session))).toEqual([true, true])
    expect(transactionJson(tx)).toEqual(final.tx)
    if (final.push_transaction_request) expect(final.push_transaction_request.params[0]).toEqual(transactionJson(tx))
    for (const version of [1, 2, 3] as const)
      if (final[`tx_bin_v${version}`]) expect(toHex(encodeTransaction(tx, version))).toBe(final[`tx_bin_v${version}`])
    if (final.tx_hash) expect(toHex(transactionHash(tx))).toBe(final.tx_hash)
    if (final.kernel_hash) expect(toHex(kernelHash(kernel))).toBe(final.kernel_hash)
    expect([toHex(kernel.excess), toHex(kernel.signature)]).toEqual([final.kernel_excess, final.kernel_sig_raw])
    expect([transactionWeight(shapeOfTransaction(tx)), `${minimumFee(shapeOfTransaction(tx))}`]).toEqual([
      final.weight,
      final.accept_fee,
    ])
  })

  test('a node takes it', async () => {
    expect(await validateTransaction(tx, verify)).toBeUndefined()
  })
})
