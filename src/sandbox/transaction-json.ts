// Reads the `tx` argument of push_transaction as a node does: lenient in spelling, strict in shape.
import type { ChainTransaction, KernelFeatures, OutputFeatures, TxInput, TxKernel, TxOutput } from './transaction.js'

type Json = Readonly<Record<string, unknown>>

const MOST_ENTRIES = 40_000 // no block holds more

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Thrown inside this file only; the caller answers `undefined`. */
class Misshapen extends Error {}

function hex(value: unknown, bytes: number): string {
  if (typeof value !== 'string' || value.length !== bytes * 2 || !/^[0-9a-fA-F]*$/.test(value)) throw new Misshapen()
  return value.toLowerCase()
}

function object(value: unknown): Json {
  if (!isObject(value)) throw new Misshapen()
  return value
}

function list<T>(value: unknown, read: (entry: unknown) => T): T[] {
  if (!Array.isArray(value) || value.length > MOST_ENTRIES) throw new Misshapen()
  return value.map(read)
}

/** Numbers and decimal texts alike: a node takes a fee in either form. */
function whole(value: unknown): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 0) throw new Misshapen()
  return number
}

function features(value: unknown): OutputFeatures {
  if (value !== 'Plain' && value !== 'Coinbase') throw new Misshapen()
  return value
}

/** Bare commitments are taken too, as 5.5 nodes do. */
const input = (value: unknown): TxInput =>
  typeof value === 'string'
    ? { features: 'Plain', commit: hex(value, 33), bare: true }
    : { features: features(object(value).features), commit: hex(object(value).commit, 33) }

const output = (value: unknown): TxOutput => ({
  features: features(object(value).features),
  commit: hex(object(value).commit, 33),
  proof: hex(object(value).proof, 675),
})

function kernelFeatures(value: unknown): KernelFeatures {
  if (value === 'Coinbase') return value
  const [[kind, args] = [], ...others] = Object.entries(object(value))
  const fields = object(args)
  if (others.length > 0) throw new Misshapen()
  if (kind === 'Plain') return { Plain: { fee: whole(fields.fee) } }
  if (kind === 'HeightLocked')
    return { HeightLocked: { fee: whole(fields.fee), lock_height: whole(fields.lock_height) } }
  if (kind === 'NoRecentDuplicate')
    return { NoRecentDuplicate: { fee: whole(fields.fee), relative_height: whole(fields.relative_height) } }
  throw new Misshapen()
}

/** One kernel of a transaction or of a coinbase; undefined when its shape is wrong. */
export const parseKernel = (value: unknown): TxKernel | undefined => attempt(() => kernel(value))

/** One output with its proof; undefined when its shape is wrong. */
export const parseOutput = (value: unknown): TxOutput | undefined => attempt(() => output(value))

const kernel = (value: unknown): TxKernel => ({
  features: kernelFeatures(object(value).features),
  excess: hex(object(value).excess, 33),
  excess_sig: hex(object(value).excess_sig, 64),
})

/** A transaction whose every field has the right form; undefined otherwise. */
export function parseTransaction(value: unknown): ChainTransaction | undefined {
  return attempt(() => {
    const body = object(object(value).body)
    return {
      offset: hex(object(value).offset, 32),
      body: {
        inputs: list(body.inputs, input),
        outputs: list(body.outputs, output),
        kernels: list(body.kernels, kernel),
      },
    }
  })
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof Misshapen) return undefined
    throw error
  }
}
