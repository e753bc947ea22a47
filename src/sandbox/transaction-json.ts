// Reads the `tx` argument of push_transaction as a node does: the form of `grin/tx`, and bare inputs besides.
import {
  type Kernel,
  parseKernelJson,
  parseOutputJson,
  parseTransactionJson,
  transactionJson,
} from '../grin/tx/index.js'
import { GrinpayError } from '../lib/errors.js'
import { objectOf } from '../lib/parse-json.js'
import type { KernelJson, OutputJson, TransactionJson } from './transaction.js'

const MOST_ENTRIES = 40_000 // no block holds more

/** A node of 5.5 takes a commitment alone for a plain input. */
const spelledOut = (input: unknown): unknown =>
  typeof input === 'string' ? { features: 'Plain', commit: input } : input

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A transaction whose every field has the right form; undefined otherwise. All hex comes back in lower case. */
export function parseTransaction(value: unknown): TransactionJson | undefined {
  const given = objectOf(value)
  const body = objectOf(given.body)
  const inputs = listOf(body.inputs)
  if ([body.inputs, body.outputs, body.kernels].some((list) => listOf(list).length > MOST_ENTRIES)) return undefined
  return attempt(() => {
    const spelled = Array.isArray(body.inputs) ? inputs.map(spelledOut) : body.inputs
    const { offset, body: read } = transactionJson(
      parseTransactionJson({ ...given, body: { ...body, inputs: spelled } }),
    )
    const marked = read.inputs.map((input, at) =>
      typeof inputs[at] === 'string' ? { ...input, bare: true as const } : input,
    )
    return { offset, body: { ...read, inputs: marked } }
  })
}

const NO_OFFSET = new Uint8Array(32)

/** One kernel of a coinbase; undefined when its shape is wrong. */
export const parseKernel = (value: unknown): KernelJson | undefined =>
  attempt(() => jsonOf({ kernels: [parseKernelJson(value)] }).kernels[0])

/** One output with its proof; undefined when its shape is wrong. */
export const parseOutput = (value: unknown): OutputJson | undefined =>
  attempt(() => jsonOf({ outputs: [parseOutputJson(value)] }).outputs[0])

const jsonOf = (parts: {
  readonly outputs?: readonly ReturnType<typeof parseOutputJson>[]
  readonly kernels?: readonly Kernel[]
}) => transactionJson({ offset: NO_OFFSET, inputs: [], outputs: [], kernels: [], ...parts }).body

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof GrinpayError) return undefined
    throw error
  }
}
