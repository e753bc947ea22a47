// Each way a transaction can be wrong, on one of grin-wallet's that is right.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { blindSum, scalarFromBytes, scalarToBytes } from '../../../src/grin/crypto/index.js'
import {
  kernelHash,
  kernelSumsBalance,
  parseKernelJson,
  parseTransactionJson,
  sortByHash,
  type Transaction,
  transactionJson,
  validateTransaction,
} from '../../../src/grin/tx/index.js'
import { compareBytes } from '../../../src/lib/bytes.js'
import { verify } from '../../support/grin.js'
import { codeOf, vectors } from '../../support/vectors.js'

const { runs } = vectors('wallet/run_standard.json')
const parsed: Transaction[] = runs.map((run: { final: { tx: unknown } }) => parseTransactionJson(run.final.tx))
const tx = parsed[0]!
/** Three inputs, so that order matters. */
const many = parsed.find(({ inputs }) => inputs.length === 3)!
const kernel = tx.kernels[0]!
const flip = (value: Uint8Array, at: number): Uint8Array => value.map((byte, i) => (i === at ? byte ^ 1 : byte))
const failing = async (changed: Transaction) => (await validateTransaction(changed, verify))?.code

test('what grin_core accepted is valid, and survives JSON', async () => {
  for (const one of parsed) {
    expect(await validateTransaction(one, verify)).toBeUndefined()
    expect(parseTransactionJson(JSON.parse(JSON.stringify(transactionJson(one))))).toEqual(one)
  }
})

const twoKernels = [kernel, many.kernels[0]!].sort((a, b) => compareBytes(kernelHash(a), kernelHash(b)))
const plain = (fee: bigint) => [{ ...kernel, features: { kind: 'plain', fee } as const }]
const WRONG: readonly (readonly [string, string, Transaction])[] = [
  ['TX_EMPTY', 'no kernels', { ...tx, kernels: [] }],
  ['TX_EMPTY', 'no inputs', { ...tx, inputs: [] }],
  ['TX_EMPTY', 'no outputs', { ...tx, outputs: [] }],
  ['TX_TOO_HEAVY', 'too many inputs', { ...tx, inputs: Array(39_940).fill(tx.inputs[0]) }],
  ['TX_COINBASE', 'a coinbase output', { ...tx, outputs: tx.outputs.map((one) => ({ ...one, coinbase: true })) }],
  ['TX_COINBASE', 'a coinbase kernel', { ...tx, kernels: [{ ...kernel, features: { kind: 'coinbase' } }] }],
  [
    'TX_BAD_COMMITMENT',
    'an input of no point',
    { ...tx, inputs: [{ coinbase: false, commitment: new Uint8Array(33) }] },
  ],
  ['TX_BAD_COMMITMENT', 'an excess of no point', { ...tx, kernels: [{ ...kernel, excess: new Uint8Array(33) }] }],
  ['TX_UNSORTED', 'inputs in another order', { ...many, inputs: many.inputs.toReversed() }],
  ['TX_UNSORTED', 'outputs in another order', { ...tx, outputs: tx.outputs.toReversed() }],
  ['TX_DUPLICATE', 'an input twice', { ...tx, inputs: [tx.inputs[0]!, tx.inputs[0]!] }],
  ['TX_DUPLICATE', 'an output twice', { ...tx, outputs: sortByHash([...tx.outputs, tx.outputs[0]!]) }],
  ['TX_UNSORTED', 'kernels in another order', { ...tx, kernels: twoKernels.toReversed() }],
  ['TX_DUPLICATE', 'a kernel twice', { ...tx, kernels: [kernel, kernel] }],
  ['TX_CUT_THROUGH', 'an output that is an input', { ...tx, inputs: sortByHash([...tx.inputs, tx.outputs[0]!]) }],
  ['TX_FEE_FIELD', 'a fee of zero', { ...tx, kernels: plain(0n) }],
  ['TX_FEE_FIELD', 'stray bits in the fee field', { ...tx, kernels: plain((1n << 44n) | 23_000_000n) }],
  ['TX_FEE_TOO_LOW', 'a fee below the minimum', { ...tx, kernels: plain(22_999_999n) }],
  ['TX_FEE_TOO_LOW', 'a fee shifted below the minimum', { ...tx, kernels: plain((1n << 40n) | 23_000_000n) }],
  ['TX_KERNEL_SIGNATURE', 'another fee than signed', { ...tx, kernels: plain(23_000_001n) }],
  [
    'TX_KERNEL_SIGNATURE',
    'a damaged signature',
    { ...tx, kernels: [{ ...kernel, signature: flip(kernel.signature, 63) }] },
  ],
  ['TX_KERNEL_SUM', 'another offset', { ...tx, offset: flip(tx.offset, 31) }],
  ['TX_KERNEL_SUM', 'an offset that is no number', { ...tx, offset: new Uint8Array(32).fill(0xff) }],
  ['TX_KERNEL_SUM', 'an output missing', { ...tx, outputs: tx.outputs.slice(1) }],
  [
    'TX_RANGE_PROOF',
    'a damaged range proof',
    { ...tx, outputs: tx.outputs.map((one) => ({ ...one, proof: flip(one.proof, 200) })) },
  ],
]

describe('refused', () => {
  test.each(WRONG)('%s: %s', async (code, _, changed) => expect(await failing(changed)).toBe(code))
})

test('the same input with its two features is one commitment twice', async () => {
  const inputs = sortByHash([tx.inputs[0]!, { ...tx.inputs[0]!, coinbase: !tx.inputs[0]!.coinbase }])
  expect(await failing({ ...tx, inputs })).toBe('TX_DUPLICATE')
})

test('two transactions tally together', () => {
  const [a, b] = [parsed[0]!, parsed[3]!]
  const offset = scalarToBytes(blindSum([scalarFromBytes(a.offset), scalarFromBytes(b.offset)], []))
  const excesses = [...a.kernels, ...b.kernels].map(({ excess }) => excess)
  const both = {
    inputs: [...a.inputs, ...b.inputs],
    outputs: [...a.outputs, ...b.outputs],
    excesses,
    offset,
    created: 0n,
  }
  expect(kernelSumsBalance({ ...both, fees: 23_000_000n + 24_000_000n })).toBe(true)
  expect(kernelSumsBalance({ ...both, fees: 23_000_000n })).toBe(false)
})

test('arbitrary JSON throws only the documented error', async () => {
  const json = transactionJson(tx)
  const damaged = fc
    .tuple(fc.constantFrom('inputs', 'outputs', 'kernels', 'offset'), fc.jsonValue())
    .map(([name, value]) =>
      name === 'offset' ? { ...json, offset: value } : { ...json, body: { ...json.body, [name]: value } },
    )
  const kernels = fc
    .tuple(fc.constantFrom('features', 'excess', 'excess_sig'), fc.jsonValue())
    .map(([name, value]) => ({ ...json.body.kernels[0], [name]: value }))
  await fc.assert(
    fc.asyncProperty(fc.oneof(damaged, kernels, fc.anything()), async (value) => {
      expect(await codeOf(() => parseTransactionJson(value))).toMatch(/^(TX_INVALID|ok)$/)
      expect(await codeOf(() => parseKernelJson(value))).toMatch(/^(TX_INVALID|ok)$/)
    }),
  )
})
