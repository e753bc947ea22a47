// The Grin network of a world: one chain, several nodes that show it each in its own way, and blocks that come by chance.
import { createBlockSeal } from '../../../src/sandbox/block.js'
import { createSimulatedChain, type SimulatedChain } from '../../../src/sandbox/chain.js'
import { createValidate, createValidateCoinbase } from '../../../src/sandbox/control.js'
import { answerForeign } from '../../../src/sandbox/foreign-methods.js'
import type { TransactionJson } from '../../../src/sandbox/transaction.js'
import type { Chance } from '../ground/chance.js'
import { standInProofs } from '../ground/range-proofs.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'

/** `denying` says of every kernel that it is not there; `behind` shows the chain of an hour ago. */
type NodeMood = 'well' | 'away' | 'slow' | 'denying' | 'behind'

interface GrinNode {
  readonly host: string
  mood: NodeMood
}

export interface GrinNetwork {
  readonly chain: SimulatedChain
  readonly nodes: readonly GrinNode[]
  height(): number
  /** The nodes as `fetch` reaches them. */
  readonly fetch: typeof fetch
  /** Hands a transaction to the network; answers its refusal. */
  push(transaction: object): Promise<string | undefined>
  /** A coinbase block with this output. */
  mineCoinbase(json: object): Promise<void>
  mine(blocks: number): void
  reorganise(depth: number, forget: boolean): void
}

const BEHIND_BLOCKS = 60

export interface GrinParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly nodes: number
}

export function createGrinNetwork({ time, chance, trace, nodes: count }: GrinParts): GrinNetwork {
  const chain = createSimulatedChain({ seal: createBlockSeal(() => chance.bytes(8)), genesisAt: time.now() })
  const validate = createValidate(standInProofs.verify)
  const validateCoinbase = createValidateCoinbase(standInProofs.verify)
  const nodes = Array.from({ length: count }, (_, at): GrinNode => ({ host: `node-${at + 1}:3413`, mood: 'well' }))
  const parts = { chain, validate, now: () => time.now() }
  const height = () => chain.ledger.tip().height

  async function answer({ mood }: GrinNode, body: string): Promise<string> {
    const { method, params } = JSON.parse(body) as { method: string; params: unknown[] }
    if (mood === 'denying' && method === 'get_kernel') return JSON.stringify(result({ Err: 'NotFound' }))
    if (mood === 'behind') return JSON.stringify(result(await answerFromThePast(method, params, body)))
    return (await answerForeign(body, parts)).body
  }

  /** What a node says that stands an hour behind. */
  async function answerFromThePast(method: string, params: readonly unknown[], body: string): Promise<unknown> {
    const past = Math.max(0, height() - BEHIND_BLOCKS)
    const block = chain.ledger.blockAt(past)
    if (method === 'get_tip' && block) {
      const { hash, previous, total_difficulty } = block.header
      return { Ok: { height: past, last_block_pushed: hash, prev_block_to_last: previous, total_difficulty } }
    }
    const { body: text } = await answerForeign(body, parts)
    const { result: present } = JSON.parse(text) as { result: { Ok?: unknown } }
    if (method === 'get_kernel') {
      const { height: mined = 0 } = (present.Ok ?? {}) as { height?: number }
      return mined > past ? { Err: 'NotFound' } : present
    }
    if (method === 'get_outputs' && Array.isArray(present.Ok))
      return { Ok: present.Ok.filter(({ block_height: mined }: { block_height: number }) => mined <= past) }
    if (method === 'get_unconfirmed_transactions') return { Ok: [] }
    if ((method === 'get_header' || method === 'get_block') && Number(params[0] ?? 0) > past) return { Err: 'NotFound' }
    return present
  }

  return {
    chain,
    nodes,
    height,
    fetch: (async (url: string, init: RequestInit) => {
      const node = nodes.find(({ host }) => new URL(url).host === host)
      const { signal } = init
      if (!node) throw Object.assign(new TypeError('fetch failed'), { cause: new Error(`no route to ${url}`) })
      await time.sleep(node.mood === 'slow' ? chance.whole(4000, 20_000) : chance.whole(1, 80))
      signal?.throwIfAborted()
      if (node.mood === 'away') throw Object.assign(new TypeError('fetch failed'), { cause: new Error('refused') })
      return plainAnswer(await answer(node, String(init.body)))
    }) as typeof fetch,
    async push(transaction) {
      const parsed = transaction as TransactionJson
      const early = chain.quickRefusal(parsed)
      if (early !== undefined) return early
      return (await validate(parsed)) ? chain.admit(parsed, time.now()) : 'invalid'
    },
    async mineCoinbase(json) {
      const coinbase = json as Parameters<typeof validateCoinbase>[0]
      if (!(await validateCoinbase(coinbase))) throw new Error('a coinbase of the world is not valid')
      chain.mine(time.now(), { coinbase })
    },
    mine(blocks) {
      for (let mined = 0; mined < blocks; mined++) chain.mine(time.now())
    },
    reorganise(depth, forget) {
      const deepest = Math.min(depth, height() - 1)
      if (deepest < 1) return
      chain.reorg(deepest, time.now(), { forget })
      trace.note('chain', 'reorganises', `${deepest}${forget ? ', forgets' : ''}`)
      trace.happening('chain: reorganisation')
    },
  }
}

/** What the product reads of a response: a real one costs more than all that a node does. */
const plainAnswer = (text: string): Response =>
  ({ status: 200, headers: NO_HEADERS, body: [Buffer.from(text)] }) as unknown as Response

const NO_HEADERS = new Headers()
const result = (value: unknown) => ({ jsonrpc: '2.0', id: 1, result: value })
