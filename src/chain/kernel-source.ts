// The little that a sale of names asks of Grin nodes: where a kernel is, and how high the chain is (specification: names, 10.6 "Node calls").
import type { KernelSource } from '../authority/index.js'
import { GrinpayError } from '../lib/errors.js'
import { membersOf } from '../lib/parse-json.js'
import { nodeRefused, nodeUnreachable, noNodeAnswers } from './errors.js'
import { createRpc, type Rpc } from './rpc.js'

export interface KernelSourceOptions {
  /** Complete addresses of foreign APIs (`…/v2/foreign`), asked in this order; `user:password@` allowed, never shown. */
  readonly urls: readonly string[]
  /** Of one request; default 20 s. */
  readonly timeoutMs?: number
}

/** An answer is a few hundred bytes long. */
const MAX_ANSWER = 65_536

/** Throws TypeError for what is no URL. Nothing is asked before somebody asks. */
export function createKernelSource({
  urls,
  timeoutMs = 20_000,
}: KernelSourceOptions): KernelSource & { close(): void } {
  const nodes = urls.map((url) => createRpc(url, { timeoutMs, maxBytes: MAX_ANSWER, isComplete: true }))
  return {
    async kernel(excess) {
      const found = await firstAnswer(nodes, async (node) => {
        const height = await kernelHeight(node, excess)
        return height === undefined ? undefined : { height, tip: await tipHeight(node) }
      })
      return found
    },
    async tip() {
      const height = await firstAnswer(nodes, tipHeight)
      if (height === undefined) throw noNodeAnswers('none is named')
      return height
    },
    close() {
      for (const node of nodes) node.close()
    },
  }
}

/** The first node that knows it. Undefined when those that answer do not know; rejects when none answers. */
async function firstAnswer<T>(
  nodes: readonly Rpc[],
  ask: (node: Rpc) => Promise<T | undefined>,
): Promise<T | undefined> {
  const reasons: string[] = []
  for (const node of nodes) {
    try {
      const answer = await ask(node)
      if (answer !== undefined) return answer
    } catch (thrown) {
      if (!(thrown instanceof GrinpayError)) throw thrown
      reasons.push(thrown.message)
    }
  }
  if (reasons.length > 0 && reasons.length === nodes.length) throw noNodeAnswers(reasons.join('; '))
  return undefined
}

/** Undefined: this node knows no such kernel. */
async function kernelHeight(node: Rpc, excess: string): Promise<number | undefined> {
  const answer = await node.call('get_kernel', [excess, null, null])
  if ('err' in answer && answer.err === 'NotFound') return undefined
  const found = okOf(node, 'get_kernel', answer)
  // Older nodes answer with a list: kernel, height, index.
  const [kernel, height] = Array.isArray(found) ? found : [membersOf(found).tx_kernel, membersOf(found).height]
  const named = membersOf(kernel).excess
  if (typeof named === 'string' && named.toLowerCase() !== excess)
    throw nodeUnreachable(node.host, 'it answered with another kernel')
  return heightOf(node, 'get_kernel', height)
}

async function tipHeight(node: Rpc): Promise<number> {
  const tip = okOf(node, 'get_tip', await node.call('get_tip', []))
  return heightOf(node, 'get_tip', membersOf(tip).height)
}

function okOf(node: Rpc, method: string, answer: Awaited<ReturnType<Rpc['call']>>): unknown {
  if ('ok' in answer) return answer.ok
  throw nodeRefused(node.host, method, `${answer.err} ${answer.text}`.trim())
}

function heightOf({ host }: Rpc, method: string, value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw nodeUnreachable(host, `its answer to ${method} has no height`)
}
