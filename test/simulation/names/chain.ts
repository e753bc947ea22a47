// The Grin chain of a world of names: a block each minute, the kernels of sales, reorganisations, and nodes that show it each in its own way.
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'

type NodeMood = 'well' | 'away' | 'slow' | 'denying' | 'behind'

export interface SaleChain {
  readonly nodes: readonly { readonly url: string; mood: NodeMood }[]
  readonly fetch: typeof fetch
  height(): number
  /** Mines a kernel (66 hex) in one of the next blocks. */
  mine(excess: string): void
  /** Where a kernel is; undefined while no block has it. */
  heightOf(excess: string): number | undefined
  /** Takes the last blocks back; their kernels come again two blocks later, or never. */
  reorganise(depth: number, forget: boolean): void
}

const BLOCK_MS = 60_000
const FIRST_HEIGHT = 100_000
/** More than a node may be behind. */
const BEHIND_BLOCKS = 60

interface SaleChainParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly nodes: number
}

export function createSaleChain({ time, chance, trace, nodes: count }: SaleChainParts): SaleChain {
  const genesisAt = time.now()
  const kernels = new Map<string, number>()
  const nodes = Array.from({ length: count }, (_, at) => ({
    url: `https://node-${at + 1}.example/v2/foreign`,
    mood: 'well' as NodeMood,
  }))
  const height = () => FIRST_HEIGHT + Math.floor((time.now() - genesisAt) / BLOCK_MS)
  const timeOf = (block: number) => genesisAt + (block - FIRST_HEIGHT) * BLOCK_MS
  const hashOf = (block: number) => block.toString(16).padStart(64, '0')

  function heightOf(excess: string): number | undefined {
    const mined = kernels.get(excess)
    return mined === undefined || mined > height() ? undefined : mined
  }

  function answer(mood: NodeMood, method: string, [asked, hash]: readonly unknown[]): unknown {
    const tip = height() - (mood === 'behind' ? BEHIND_BLOCKS : 0)
    if (method === 'get_tip') return { Ok: { height: tip, last_block_pushed: hashOf(tip) } }
    if (method === 'get_header') {
      const block = Number.parseInt(String(hash), 16)
      return { Ok: { height: block, hash, timestamp: new Date(timeOf(block)).toISOString() } }
    }
    const mined = heightOf(String(asked))
    if (mined === undefined || mined > tip || mood === 'denying') return { Err: 'NotFound' }
    return { Ok: { height: mined, tx_kernel: { excess: asked } } }
  }

  return {
    nodes,
    height,
    heightOf,
    mine(excess) {
      kernels.set(excess, height() + chance.whole(1, 3))
    },
    reorganise(depth, forget) {
      const from = height() - depth
      for (const [excess, mined] of kernels) {
        if (mined <= from) continue
        if (forget) kernels.delete(excess)
        else kernels.set(excess, height() + 2)
      }
      trace.note('chain', 'reorganises', `${depth}${forget ? ', forgets' : ''}`)
      trace.fault('reorganisations')
    },
    async fetch(input, init) {
      const node = nodes.find(({ url }) => url === String(input))
      await time.sleep(chance.whole(1, 200))
      if (!node || node.mood === 'away') throw new TypeError('fetch failed')
      if (node.mood === 'slow') await time.sleep(chance.whole(5000, 30_000))
      if (init?.signal?.aborted) throw new DOMException('aborted', 'AbortError')
      const { method, params } = JSON.parse(String(init?.body)) as { method: string; params: unknown[] }
      return new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result: answer(node.mood, method, params) }))
    },
  }
}
