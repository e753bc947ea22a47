// test/vectors/real: what unmodified grin 5.5.2 and grin-wallet 5.5.1 said to each other on a private chain.
// Every slatepack is read and rebuilt, every transaction and block checked, every output of both wallets found again.
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { blindSum, publicKeyToCommitment, scalarFromBytes, scalarToBytes } from '../../src/grin/crypto/index.js'
import { makeReceiverProof, verifyReceiverProof } from '../../src/grin/proof/index.js'
import { checkI2, checkS1, ownAddresses } from '../../src/grin/receive/index.js'
import { encodeSlate, formatSlateJson, parseSlateJson, type Slate } from '../../src/grin/slate/index.js'
import {
  addressOfSeed,
  armor,
  dearmor,
  decodeEnvelope,
  encodeEnvelope,
  formatAddress,
  readSlatepack,
} from '../../src/grin/slatepack/index.js'
import {
  feeField,
  hasSigned,
  isSigned,
  type Kernel,
  kernelSumsBalance,
  openSigningSession,
  parseKernelJson,
  parseTransactionJson,
  sealKernel,
  sortByHash,
  transactionBody,
  transactionJson,
  validateTransaction,
} from '../../src/grin/tx/index.js'
import { toHex } from '../../src/lib/bytes.js'
import { prove, verify, walletOf } from '../support/grin.js'
import { bytes, vectors, vectorText } from '../support/vectors.js'

// biome-ignore lint/suspicious/noExplicitAny: recordings, as they are
type Recorded = any

const { wallets } = vectors('real/wallets.json')
const runs: Recorded = vectors('real/runs.json')
const [miner, bob] = [walletOf(wallets.miner.mnemonic), walletOf(wallets.bob.mnemonic)]
const [minerSeed, bobSeed] = [miner.addressSeed(0, 0), bob.addressSeed(0, 0)]
const has = (name: string): boolean => existsSync(new URL(`../vectors/real/${name}`, import.meta.url))

test.each([
  ['miner', miner, minerSeed],
  ['bob', bob, bobSeed],
] as const)('the keys of %s', (name, keychain, seed) => {
  expect(toHex(seed)).toBe(wallets[name].slatepack_secret_key_index0)
  expect(formatAddress('tgrin', addressOfSeed(seed))).toBe(wallets[name].slatepack_address)
  expect(toHex(keychain.rewindHash)).toBe(wallets[name].rewind_hash)
})

const folders = Object.keys(runs)
const packs = folders.flatMap((folder) =>
  ['S1', 'S2', 'S3', 'I1', 'I2', 'I3'].map((state) => `${folder}/${state}`).filter((name) => has(`${name}.slatepack`)),
)

test('there are 18 slatepacks', () => expect(packs).toHaveLength(18))

describe.each(packs)('slatepack %s', (name) => {
  const text = vectorText(`real/${name}.slatepack`)
  const json = vectors(`real/${name}.json`)
  const envelope = has(`${name}.slatepack.json`) ? vectors(`real/${name}.slatepack.json`) : undefined

  test('is read to the recorded slate and written back', async () => {
    const opened = await readSlatepack(text, { prefix: 'tgrin', decryptWith: [minerSeed, bobSeed] })
    expect(JSON.parse(formatSlateJson(opened.slate))).toEqual(json)
    expect(opened.slate).toEqual(parseSlateJson(json))
    expect(encodeSlate(opened.slate)).toEqual(opened.bytes)
    if (envelope) expect(Buffer.from(opened.bytes).toString('base64')).toBe(envelope.payload)
    if (envelope?.sender) expect(formatAddress('tgrin', opened.sender!)).toBe(envelope.sender)
  })

  test('its armor and envelope are ours to the byte', () => {
    const binary = dearmor(text)
    expect(armor(binary)).toBe(text)
    expect(encodeEnvelope(decodeEnvelope(binary, 'tgrin'), 'tgrin')).toEqual(binary)
  })
})

/** The final transaction of an exchange, from its last slate. */
function transactionOf(final: Slate) {
  const session = openSigningSession(final, final.participants)
  expect(final.participants.every((one) => hasSigned(one, session))).toBe(true)
  return {
    offset: final.offset,
    ...transactionBody(final.commitments!),
    kernels: [sealKernel(final, final.participants, session)],
  }
}

const standard = [...folders.filter((folder) => folder.startsWith('standard')), 'foreign-receive']
describe.each(standard)('%s', (folder) => {
  const [s1, s2, s3] = ['S1', 'S2', 'S3'].map((state) => parseSlateJson(vectors(`real/${folder}/${state}.json`)))
  const tip = s1!.ttl === 0n ? 1_000_000 : Number(s1!.ttl) - 1

  test('the S1 passes our rules, and would not after its ttl', () => {
    const rules = { tip, addresses: ownAddresses(bob), amount: s1!.amount }
    expect(checkS1(s1!, rules)).toBeUndefined()
    if (s1!.ttl > 0n) expect(checkS1(s1!, { ...rules, tip: tip + 1 })?.code).toBe('S1_EXPIRED')
  })

  test('the S2 pays bob the amount, is signed, and proves it when asked', async () => {
    const session = openSigningSession(s1!, [...s1!.participants, ...s2!.participants])
    expect(hasSigned(s2!.participants[0]!, session)).toBe(true)
    const [{ commitment, proof }] = [s2!.commitments![0]!]
    expect(bob.rewindOutput(commitment, proof!)?.value).toBe(s1!.amount)
    expect(s2!.proof !== undefined).toBe(s1!.proof !== undefined)
    if (!s2!.proof) return
    const content = { amount: s1!.amount, excess: publicKeyToCommitment(session.keySum), sender: s2!.proof.sender }
    expect(verifyReceiverProof({ ...content, recipient: s2!.proof.receiver, signature: s2!.proof.signature! })).toBe(
      true,
    )
    expect(makeReceiverProof(content, bobSeed).signature).toEqual(s2!.proof.signature)
  })

  test('the S3 is the transaction the node took', async () => await theNodeTook(folder, s3!))
})

const invoices = [...folders.filter((folder) => folder.startsWith('invoice')), 'foreign-finalize']
describe.each(invoices)('%s', (folder) => {
  const [i1, i2, i3] = ['I1', 'I2', 'I3'].map((state) => parseSlateJson(vectors(`real/${folder}/${state}.json`)))

  test('the I2 passes our rules and is signed over both sides', () => {
    const own = i3!.commitments!.find(({ commitment, proof }) => proof && bob.rewindOutput(commitment, proof))
    expect(bob.rewindOutput(own!.commitment, own!.proof!)?.value).toBe(i1!.amount)
    const invoice = { slateId: i1!.id, commitment: own!.commitment }
    expect(checkI2(i2!, { invoice, tip: 0 })).toBeUndefined()
    const session = openSigningSession(i2!, [...i2!.participants, ...i1!.participants])
    expect(hasSigned(i2!.participants[0]!, session)).toBe(true)
  })

  test('the I3 is the transaction the node took', async () => await theNodeTook(folder, i3!))
})

async function theNodeTook(folder: string, final: Slate): Promise<void> {
  const tx = transactionOf(final)
  const [pool] = has(`${folder}/pool-after.json`) ? vectors(`real/${folder}/pool-after.json`) : []
  const entry = has(`${folder}/pool-entry.json`) ? vectors(`real/${folder}/pool-entry.json`) : pool
  const recorded = entry?.tx ?? vectors(`real/${folder}/transaction.json`)
  expect(transactionJson(tx)).toEqual(recorded)
  expect(parseTransactionJson(recorded)).toEqual(tx)
  expect(await validateTransaction(tx, verify)).toBeUndefined()
  if (runs[folder]) expect(toHex(tx.kernels[0]!.excess)).toBe(runs[folder].kernel_excess)
  if (!has(`${folder}/get_kernel.json`)) return
  const { ok } = vectors(`real/${folder}/get_kernel.json`)
  expect(parseKernelJson(ok.tx_kernel)).toEqual(tx.kernels[0])
  expect(ok.height).toBe(runs[folder].height)
}

test('a stored slate without signatures is read', () => {
  const stored = vectors('real/foreign-receive/stored-tx-slate.json')
  expect(JSON.parse(formatSlateJson(parseSlateJson(stored)))).toEqual(stored)
})

describe('the chain', () => {
  const blocks: Recorded[] = vectors('real/chain/blocks.json')
  const REWARD = 60_000_000_000n
  /** Blocks are printed with signatures in raw order, unlike every other JSON. */
  const kernelOf = ({ features, fee, fee_shift, excess, excess_sig }: Recorded): Kernel => ({
    features:
      features === 'Coinbase' ? { kind: 'coinbase' } : { kind: 'plain', fee: feeField(BigInt(fee), BigInt(fee_shift)) },
    excess: bytes(excess),
    signature: bytes(excess_sig),
  })
  const outputOf = ({ output_type, commit, proof }: Recorded) => ({
    coinbase: output_type === 'Coinbase',
    commitment: bytes(commit),
    proof: bytes(proof),
  })
  const totalOffset = (height: number) => scalarFromBytes(bytes(blocks[height].header.total_kernel_offset))

  test.each(blocks.slice(1).map((block) => [block.header.height, block]))(
    'block %i tallies and is proved',
    async (height, block) => {
      const outputs = block.outputs.map(outputOf)
      const kernels: Kernel[] = block.kernels.map(kernelOf)
      expect(kernels.every(isSigned)).toBe(true)
      const offset = scalarToBytes(blindSum([totalOffset(height)], [totalOffset(height - 1)]))
      const excesses = kernels.map(({ excess }) => excess)
      const inputs = block.inputs.map((commit: string) => ({ coinbase: false, commitment: bytes(commit) }))
      expect(kernelSumsBalance({ inputs, outputs, excesses, offset, fees: 0n, created: REWARD })).toBe(true)
      expect(kernelSumsBalance({ inputs, outputs, excesses, offset, fees: 0n, created: REWARD + 1n })).toBe(false)
      for (const { commitment, proof } of outputs) expect(await verify(commitment, proof)).toBe(true)
      expect(outputs).toEqual(sortByHash(outputs))
    },
  )

  test('all unspent outputs together are what was mined', () => {
    const { outputs } = vectors('real/chain/get_unspent_outputs.json')
    const excesses = blocks.slice(1).flatMap(({ kernels }) => kernels.map(({ excess }: Recorded) => bytes(excess)))
    const height = blocks.length - 1
    const genesis = scalarToBytes(blindSum([totalOffset(height)], [totalOffset(0)]))
    const whole = { inputs: [], outputs: outputs.map(outputOf), excesses, offset: genesis, fees: 0n }
    expect(kernelSumsBalance({ ...whole, created: REWARD * BigInt(height) })).toBe(true)
  })
})

describe.each([
  ['bob', bob, miner, 10],
  ['miner', miner, bob, 37],
] as const)('the outputs of %s', (name, own, other, count) => {
  const outputs: Recorded[] = vectors(`real/wallet-state/${name}-output-proofs.json`)

  test('are found again with amount and path by their owner only', () => {
    expect(outputs).toHaveLength(count)
    for (const { key_id, value, commit, proof } of outputs) {
      const found = own.rewindOutput(bytes(commit), bytes(proof))
      expect([toHex(found!.identifier), `${found!.value}`, found!.switchType]).toEqual([key_id, value, 'regular'])
      expect(other.rewindOutput(bytes(commit), bytes(proof))).toBeUndefined()
      expect(toHex(own.commitOutput(bytes(key_id), BigInt(value)))).toBe(commit)
    }
  })

  test('are proved again to the same bytes', async () => {
    for (const { key_id, value, proof } of outputs.slice(0, 12))
      expect(toHex(await prove(own.proofInput(bytes(key_id), BigInt(value))))).toBe(proof)
  })
})
