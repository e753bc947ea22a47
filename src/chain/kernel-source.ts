// Node queries of name sales: the height of a kernel, and of the chain (specification: names, 10.6 "Node calls").
import type { KernelSource } from '../authority/index.js'
import { GrinpayError } from '../lib/errors.js'
import type { Clock } from '../lib/ports.js'
import { headerAnswer, heightAnswer, kernelPlaceAnswer } from './answers.js'
import { nodeRefused, nodeUnreachable, noNodeAnswers } from './errors.js'
import { createNodeQuestions, type NodeQuestions } from './node-api.js'
import { createNodeWatch, type JudgedNode, type NodeWatch } from './node-watch.js'
import { type TipRules, tipRulesOf } from './tips.js'

export interface KernelSourceOptions {
  /** Complete addresses of foreign APIs (`…/v2/foreign`), in order of preference; `user:password@` allowed, never printed. */
  readonly urls: readonly string[]
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  /** `tipRulesOf` a public chain unless given. */
  readonly rules?: TipRules | undefined
  /** Of one request; default 20 s. */
  readonly timeoutMs?: number
}

/** Responses have a few hundred bytes. */
const MAX_ANSWER = 65_536
/** Tips are not cached: a claim counts blocks and may follow a new block at once. */
const TIP_CACHE_MS = 0

/** A node with the query of name sales. */
interface SaleNode extends JudgedNode {
  /** Undefined if this node does not know the kernel. */
  kernelHeight(excess: string): Promise<number | undefined>
}

/**
 * Uses the till's rules for nodes: skips those that lag, stall or fail. Makes no requests by itself. Throws TypeError for an invalid
 * URL. Verbs reject with NO_NODE_ANSWERS if no node is usable.
 */
export function createKernelSource({
  urls,
  clock,
  rules = tipRulesOf(),
  timeoutMs = 20_000,
}: KernelSourceOptions): KernelSource & { close(): void } {
  const connections = urls.map((url) => createNodeQuestions(url, { timeoutMs, maxBytes: MAX_ANSWER, isComplete: true }))
  const nodes = connections.map(saleNode)
  const watch = createNodeWatch({ nodes, clock, rules, cacheMs: TIP_CACHE_MS, none: noNodeAnswers })
  return {
    kernel: (excess) => findKernel(watch, excess),
    async tip() {
      const [{ tip }] = await watch.usable()
      return tip.height
    },
    close() {
      for (const connection of connections) connection.close()
    },
  }
}

/** Asks usable nodes in order until one knows the kernel. Undefined if none knows it; rejects if none responds. */
async function findKernel(watch: NodeWatch<SaleNode>, excess: string) {
  const reasons: string[] = []
  const usable = await watch.usable()
  for (const { node, tip } of usable) {
    try {
      const height = await node.kernelHeight(excess)
      if (height !== undefined) return { height, tip: tip.height }
    } catch (thrown) {
      if (!(thrown instanceof GrinpayError)) throw thrown
      const { message } = thrown
      reasons.push(message)
      if (!nodeRefused.is(thrown)) watch.failed(node, message)
    }
  }
  if (reasons.length === usable.length) throw noNodeAnswers(reasons.join('; '))
  return undefined
}

const saleNode = ({ host, find, get }: NodeQuestions): SaleNode => ({
  host,
  tip: () => get('get_tip', [], heightAnswer),
  header: ({ hash }) => find('get_header', [null, hash, null], headerAnswer),
  async kernelHeight(excess) {
    const found = await find('get_kernel', [excess, null, null], kernelPlaceAnswer)
    const named = found?.excess
    if (named !== undefined && named.toLowerCase() !== excess)
      throw nodeUnreachable(host, 'it answered with another kernel')
    return found?.height
  },
})
