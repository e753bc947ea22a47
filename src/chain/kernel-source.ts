// The little that a sale of names asks of Grin nodes: where a kernel is, and how high the chain is (specification: names, 10.6 "Node calls").
import type { KernelSource } from '../authority/index.js'
import { GrinpayError } from '../lib/errors.js'
import { headerAnswer, heightAnswer, kernelPlaceAnswer } from './answers.js'
import { nodeRefused, nodeUnreachable, noNodeAnswers } from './errors.js'
import { createNodeQuestions, type NodeQuestions } from './node-api.js'
import { createNodeWatch, type JudgedNode, type NodeWatch } from './node-watch.js'
import { type TipRules, tipRulesOf } from './tips.js'

export interface KernelSourceOptions {
  /** Complete addresses of foreign APIs (`…/v2/foreign`), asked in this order; `user:password@` allowed, never shown. */
  readonly urls: readonly string[]
  readonly clock: { now(): number; monotonic(): number }
  /** `tipRulesOf` a public chain unless given. */
  readonly rules?: TipRules | undefined
  /** Of one request; default 20 s. */
  readonly timeoutMs?: number
}

/** An answer is a few hundred bytes long. */
const MAX_ANSWER = 65_536
/** How long a tip is believed: not at all, because a claim counts blocks and may follow the newest one at once. */
const TIP_CACHE_MS = 0

/** A node as a sale asks it. */
interface SaleNode extends JudgedNode {
  /** Undefined: this node knows no such kernel. */
  kernelHeight(excess: string): Promise<number | undefined>
}

/**
 * Nodes are judged as the till judges them: one that lags, stands still or fails is not asked. Throws TypeError for what is no URL.
 * Asks nothing by itself; verbs reject with NO_NODE_ANSWERS when no node is usable.
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

/** From the first usable node that knows it. Undefined when those that answer do not know; rejects when none answers. */
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
