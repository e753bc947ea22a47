// How a node prints what the chain holds. Members in the node's (alphabetical) order. Specification: grin-network, 2.
import { blake2b256 } from '../grin/crypto/index.js'
import { splitFee } from '../grin/tx/index.js'
import { fromHex, toHex } from '../lib/bytes.js'
import type { Block } from './block.js'
import type { PoolEntry } from './chain.js'
import type { Ledger, MinedKernel, UnspentOutput } from './ledger.js'
import { feeFieldsOf, type KernelJson, type OutputJson, type TransactionJson } from './transaction.js'

/** The hash of a proof covers its length as u64 as well. */
function proofHash(proof: string): string {
  const bytes = fromHex(proof)
  const hashed = new Uint8Array(8 + bytes.length)
  new DataView(hashed.buffer).setBigUint64(0, BigInt(bytes.length))
  hashed.set(bytes, 8)
  return toHex(blake2b256(hashed))
}

const outputType = (output: OutputJson): string => (output.features === 'Coinbase' ? 'Coinbase' : 'Transaction')

/** An unspent output as `get_outputs` and `get_unspent_outputs` list it. */
export const outputJson = (output: UnspentOutput, withProof: boolean) => ({
  block_height: output.height,
  commit: output.commit,
  merkle_proof: null,
  mmr_index: output.position,
  output_type: outputType(output),
  proof: withProof ? output.proof : null,
  proof_hash: proofHash(output.proof),
  spent: false,
})

/** The answer of `get_kernel`: the signature stays in compact order. */
export const kernelJson = ({ kernel, height, position }: MinedKernel) => ({
  height,
  mmr_index: position,
  tx_kernel: { excess: kernel.excess, excess_sig: kernel.excess_sig, features: kernel.features },
})

const reversed = (hex: string): string => toHex(fromHex(hex).reverse())

/** Blocks, unlike everything else, carry signatures in raw order. */
const rawSignature = (compact: string): string => reversed(compact.slice(0, 64)) + reversed(compact.slice(64))

function blockKernelJson({ features, excess, excess_sig }: KernelJson) {
  const { fee, shift } = splitFee(feeFieldsOf(features))
  const locked = features !== 'Coinbase' && 'HeightLocked' in features ? features.HeightLocked.lock_height : 0
  return {
    excess,
    excess_sig: rawSignature(excess_sig),
    features: features === 'Coinbase' ? features : (Object.keys(features)[0] ?? ''),
    fee: Number(fee),
    fee_shift: Number(shift),
    lock_height: locked,
  }
}

/** The answer of `get_block`; spent outputs lose their position. */
export const blockJson = (block: Block, ledger: Ledger) => ({
  header: block.header,
  inputs: block.inputs,
  kernels: block.kernels.map(blockKernelJson),
  outputs: block.outputs.map((output) => {
    const unspent = ledger.output(output.commit)
    const place = { ...output, height: block.header.height, position: unspent?.position ?? 0 }
    return { ...outputJson(place, true), spent: unspent === undefined }
  }),
})

const transactionJson = ({ offset, body }: TransactionJson) => ({
  body: {
    inputs: body.inputs.map(({ commit, features }) => ({ commit, features })),
    kernels: body.kernels.map(({ excess, excess_sig, features }) => ({ excess, excess_sig, features })),
    outputs: body.outputs.map(({ commit, features, proof }) => ({ commit, features, proof })),
  },
  offset,
})

/** One entry of `get_unconfirmed_transactions`. */
export const poolJson = ({ transaction, at }: PoolEntry) => ({
  src: 'PushApi',
  tx: transactionJson(transaction),
  tx_at: new Date(at).toISOString(),
})
