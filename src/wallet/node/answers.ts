// Reads a node's answers. Whatever has another form than expected is WALLET_NODE_FAILED: a node is not trusted to be one.
import { fromHex } from '../../lib/bytes.js'
import { orThrow } from '../../lib/errors.js'
import { membersOf, objectOf } from '../../lib/parse-json.js'
import { foreignText } from '../../lib/plain-text.js'
import { walletNodeFailed } from '../errors.js'
import type { SeenBlock } from '../model.js'
import type { ChainOutput, OutputPage, ProvenOutput } from './node.js'

type Members = Readonly<Record<string, unknown>>

/** `what` names the call and the member. */
const bad = (what: string): Error => walletNodeFailed(`its answer has another form than expected: ${what}`)

function whole(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw bad(what)
  return value
}

function hex(value: unknown, length: number, what: string): Uint8Array {
  if (typeof value !== 'string' || value.length !== 2 * length) throw bad(what)
  try {
    return fromHex(value, length)
  } catch {
    throw bad(what)
  }
}

function hash(value: unknown, what: string): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{64}$/.test(value)) throw bad(what)
  return value
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw bad(what)
  return value
}

/** `get_tip`. */
export function readTip(value: unknown): SeenBlock {
  const { height, last_block_pushed: last } = objectOf(value)
  return { height: whole(height, 'height'), hash: hash(last, 'last_block_pushed') }
}

/** `get_header`, asked by height. */
export function readBlockHash(value: unknown, height: number): string {
  const header = objectOf(value)
  if (header.height !== height) throw bad('a header of another height')
  return hash(header.hash, 'hash')
}

/** `get_kernel`: the height of the kernel that was asked for. */
export function readKernelHeight(value: unknown, excess: string, minHeight: number): number {
  const { height, tx_kernel: kernel } = objectOf(value)
  if (objectOf(kernel).excess !== excess) throw bad('another kernel')
  // Otherwise one wrong height would confirm a recent payment.
  if (whole(height, 'height') < minHeight) throw bad('a block that was not asked for')
  return whole(height, 'height')
}

function readOutput(value: unknown): ChainOutput & { readonly from: Members } {
  const from = objectOf(value)
  if (from.output_type !== 'Coinbase' && from.output_type !== 'Transaction') throw bad('output_type')
  return {
    commitment: hex(from.commit, 33, 'commit'),
    coinbase: from.output_type === 'Coinbase',
    height: whole(from.block_height, 'block_height'),
    mmrIndex: whole(from.mmr_index, 'mmr_index'),
    from,
  }
}

/** `get_outputs`: unspent outputs only, and only those that were asked for. */
export function readOutputs(value: unknown, asked: ReadonlySet<string>): ChainOutput[] {
  const outputs = list(value, 'outputs').slice(0, 2 * asked.size)
  return outputs.flatMap((one) => {
    const { from, ...output } = readOutput(one)
    return from.spent === false && asked.has(foreignText(from.commit)) ? [output] : []
  })
}

/** `get_pmmr_indices`: the index range of some heights. */
export function readRange(value: unknown): { readonly first: number; readonly last: number } {
  const { highest_index: last, last_retrieved_index: first } = objectOf(value)
  return { first: whole(first, 'last_retrieved_index'), last: whole(last, 'highest_index') }
}

/** `get_unspent_outputs` with proofs, at most `most` outputs. */
export function readPage(value: unknown, most: number): OutputPage {
  const page = objectOf(value)
  const outputs = list(page.outputs, 'outputs')
  if (outputs.length > most) throw bad('more outputs than asked for')
  return {
    last: whole(page.last_retrieved_index, 'last_retrieved_index'),
    highest: whole(page.highest_index, 'highest_index'),
    outputs: outputs.map(readProven),
  }
}

function readProven(value: unknown): ProvenOutput {
  const { from, ...output } = readOutput(value)
  return { ...output, proof: hex(from.proof, 675, 'proof') }
}

/** The result of a call (specification: grin-network, 2): JSON-RPC's error, or the node's own `Err`, or `Ok`. */
export type CallResult = { readonly ok: unknown } | { readonly err: string }

/** Reads the envelope of an answer. `err` begins with the kind, such as NotFound. */
export const readEnvelope = (text: string): CallResult => resultOf(parseAnswer(text))

/** Reads the answers of a batch whose calls had the ids 0 … count - 1, in that order; undefined from a node that answers none. */
export function readBatch(text: string, count: number): readonly CallResult[] | undefined {
  const answers = parseAnswer(text)
  if (!Array.isArray(answers)) return undefined
  const byId = new Map(answers.slice(0, count).map((answer: unknown) => [objectOf(answer).id, answer]))
  return Array.from({ length: count }, (_, id) => {
    if (!byId.has(id)) throw bad(`no answer to call ${id} of a batch`)
    return resultOf(byId.get(id))
  })
}

function resultOf(answer: unknown): CallResult {
  const { error, result } = objectOf(answer)
  if (error !== undefined && error !== null) return { err: foreignText(objectOf(error).message).slice(0, 200) }
  const wrapped = objectOf(result)
  if ('Ok' in wrapped) return { ok: wrapped.Ok }
  if (!('Err' in wrapped)) throw bad('neither Ok nor Err')
  const err = wrapped.Err
  const [[kind, why] = ['Unknown', '']] = Object.entries(membersOf(err))
  return { err: (typeof err === 'string' ? err : `${kind}: ${foreignText(why)}`).slice(0, 200) }
}

const parseAnswer = (text: string): unknown =>
  orThrow(
    () => JSON.parse(text),
    () => bad('no JSON'),
  )
