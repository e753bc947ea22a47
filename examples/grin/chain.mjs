// A Grin chain of this process alone, for the examples: the part of a node's Foreign API that a wallet uses, on a free port of this
// machine. It checks a transaction as a node's pool does, and mines a block when `mine` is called. Instead of it, give the address of
// your own node: http://127.0.0.1:3413/v2/foreign (mainnet) or :13413 (testnet).
import { createServer } from 'node:http'
import { crypto, tx } from '@grinpay/grin'

const hex = (bytes) => Buffer.from(bytes).toString('hex')
/** Stands for the hash of a block. */
const hashAt = (height) => hex(crypto.blake2b256(Uint8Array.of(height & 255, height >> 8)))

export async function startChain() {
  const unspent = new Map() // by commitment
  const kernels = new Map() // by excess
  const ends = [0] // for each height, how many outputs the chain has had
  const pool = []
  let made = 0
  const tip = () => ends.length - 1

  const add = ({ commitment, proof }, height) =>
    unspent.set(hex(commitment), { commit: hex(commitment), proof: hex(proof), height, position: ++made })

  function take({ inputs, outputs, kernels: own }, height) {
    for (const { commitment } of inputs) unspent.delete(hex(commitment))
    for (const output of outputs) add(output, height)
    for (const { excess } of own) kernels.set(hex(excess), height)
  }

  /** The first block takes what was pushed. */
  function mine(blocks = 1) {
    for (let i = 0; i < blocks; i++) {
      for (const transaction of pool.splice(0)) take(transaction, tip() + 1)
      ends.push(made)
    }
  }

  async function push(json) {
    const transaction = tx.parseTransactionJson(json)
    const isSpendable = ({ commitment }) => unspent.has(hex(commitment))
    const failure = (await tx.validateTransaction(transaction))?.text
    if (failure || !transaction.inputs.every(isSpendable)) throw new Error(failure ?? 'AlreadySpent')
    pool.push(transaction)
    return null
  }

  const printed = ({ commit, proof, height, position }) => ({
    ...{ block_height: height, commit, merkle_proof: null, mmr_index: position },
    ...{ output_type: 'Transaction', proof, proof_hash: '', spent: false },
  })

  function pageOf(first, last, most) {
    const end = last ?? made
    const page = [...unspent.values()].filter(({ position }) => position >= first && position <= end).slice(0, most)
    const reached = page.length === most ? page.at(-1).position : end
    return { highest_index: end, last_retrieved_index: reached, outputs: page.map(printed) }
  }

  const methods = {
    get_tip: () => ({ height: tip(), last_block_pushed: hashAt(tip()), prev_block_to_last: '', total_difficulty: 1 }),
    get_header: (height) => (height <= tip() ? { height, hash: hashAt(height) } : undefined),
    get_kernel(excess, least) {
      const height = kernels.get(excess)
      return height >= (least ?? 0) ? { height, mmr_index: 1, tx_kernel: { excess } } : undefined
    },
    get_outputs: (commits) => commits.flatMap((commit) => unspent.get(commit) ?? []).map(printed),
    get_pmmr_indices: (from) => ({ last_retrieved_index: ends[Math.max(0, from - 1)] + 1, highest_index: made }),
    get_unspent_outputs: pageOf,
    push_transaction: push,
  }

  async function answerTo({ method, params, id }) {
    try {
      const value = await methods[method](...params)
      return { id, jsonrpc: '2.0', result: value === undefined ? { Err: 'NotFound' } : { Ok: value } }
    } catch (error) {
      return { id, jsonrpc: '2.0', result: { Err: { Internal: error.message } } }
    }
  }

  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(await answerTo(body)))
  })
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready))

  return {
    url: `http://127.0.0.1:${server.address().port}/v2/foreign`,
    mine,
    /** Play money: an output of the wallet from nothing, in a block of its own. Answers it as a coin to spend. */
    async grant(keys, identifier, value) {
      const { commitment, ...input } = keys.proofInput(identifier, value)
      add({ commitment, proof: crypto.proveRange(input) }, tip() + 1)
      mine()
      return { identifier, value }
    },
    close: () => server.close(),
  }
}

/** One call of a node's Foreign API; undefined for what the node does not have. */
export async function askNode(url, method, ...params) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
  const { result } = await response.json()
  if (result.Err === 'NotFound') return undefined
  if ('Err' in result) throw new Error(`${method}: ${JSON.stringify(result.Err)}`)
  return result.Ok
}
