// Reads transactions in the JSON of `push_transaction` and of a node's answers. Specification: grin-wallet, 2.5 and 2.9.
import { fromHex } from '../../lib/bytes.js'
import { GrinpayError } from '../../lib/errors.js'
import { compactToRaw } from '../crypto/index.js'
import { RANGE_PROOF_LENGTH } from '../slate/index.js'
import { txInvalid } from './errors.js'
import type { Kernel, KernelFeatures } from './kernel.js'
import type { Transaction, TxInput, TxOutput } from './transaction.js'

type Members = Readonly<Record<string, unknown>>

/** Reads the JSON form without checks of order, sums and proofs. Throws TX_INVALID. */
export function parseTransactionJson(value: unknown): Transaction {
  return reading(() => {
    const tx = object(value, 'transaction')
    const body = object(tx.body, 'body')
    return {
      offset: bytes(tx.offset, 32, 'offset'),
      inputs: list(body.inputs, 'inputs').map(parseInput),
      outputs: list(body.outputs, 'outputs').map(parseOutput),
      kernels: list(body.kernels, 'kernels').map(parseKernel),
    }
  })
}

/** Reads one kernel: `tx_kernel` of `get_kernel`. Throws TX_INVALID. */
export const parseKernelJson = (value: unknown): Kernel => reading(() => parseKernel(value))

/** Reads one output with its proof. Throws TX_INVALID. */
export const parseOutputJson = (value: unknown): TxOutput => reading(() => parseOutput(value))

function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError || (error instanceof GrinpayError && !txInvalid.is(error)))
      throw txInvalid(error.message)
    throw error
  }
}

function parseInput(value: unknown): TxInput {
  const one = object(value, 'input')
  return { coinbase: isCoinbase(one.features), commitment: bytes(one.commit, 33, 'commit') }
}

const parseOutput = (value: unknown): TxOutput => ({
  ...parseInput(value),
  proof: bytes(object(value, 'output').proof, RANGE_PROOF_LENGTH, 'proof'),
})

function parseKernel(value: unknown): Kernel {
  const one = object(value, 'kernel')
  return {
    features: parseFeatures(one.features),
    excess: bytes(one.excess, 33, 'excess'),
    signature: compactToRaw(bytes(one.excess_sig, 64, 'excess_sig')),
  }
}

function parseFeatures(value: unknown): KernelFeatures {
  if (value === 'Coinbase') return { kind: 'coinbase' }
  const [[name, content] = ['', undefined]] = Object.entries(object(value, 'features'))
  const args = object(content, 'features')
  const fee = integer(args.fee, 'fee')
  if (name === 'Plain') return { kind: 'plain', fee }
  if (name === 'HeightLocked')
    return { kind: 'height-locked', fee, lockHeight: integer(args.lock_height, 'lock_height') }
  const relativeHeight = Number(integer(args.relative_height, 'relative_height'))
  if (name !== 'NoRecentDuplicate' || relativeHeight > 0xffff) throw new RangeError('features: unknown')
  return { kind: 'no-recent-duplicate', fee, relativeHeight }
}

function isCoinbase(value: unknown): boolean {
  if (value !== 'Plain' && value !== 'Coinbase') throw new RangeError('features: neither Plain nor Coinbase')
  return value === 'Coinbase'
}

function object(value: unknown, name: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new RangeError(`${name}: not an object`)
  return value as Members
}

function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new RangeError(`${name}: not a list`)
  return value
}

function bytes(value: unknown, length: number, name: string): Uint8Array {
  if (typeof value !== 'string') throw new RangeError(`${name}: not a text`)
  return fromHex(value, length, name)
}

/** Reads a fee field or height below 2^53, as a number or as digits. */
function integer(value: unknown, name: string): bigint {
  if (typeof value === 'string' && /^\d{1,19}$/.test(value)) return BigInt(value)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`${name}: not a whole number`)
  return BigInt(value)
}
