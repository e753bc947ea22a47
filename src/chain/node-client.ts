// Chain access over several nodes: asks the first usable node in the configured order, and the next one on failure.
import { GrinpayError } from '../lib/errors.js'
import type { Clock } from '../lib/ports.js'
import type { Chain, Tip, Witness } from '../till/index.js'
import { nodeRefused, nodeUnavailable } from './errors.js'
import { createNodeApi, type NodeApi } from './node-api.js'
import { createNodeWatch, type NodeWatch } from './node-watch.js'
import type { RpcOptions } from './rpc.js'
import { type NodeVerdict, type TipRules, tipRulesOf } from './tips.js'

export interface ChainParts extends RpcOptions {
  /** In order of preference, at least one; `user:password@` allowed. */
  readonly urls: readonly string[]
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  /** Cache time of a tip; default 3 s. */
  readonly tipCacheMs?: number
  /** `tipRulesOf` a public chain unless given. */
  readonly rules?: TipRules
}

export interface NodeClient extends Chain {
  /** The last known verdicts, without requests. */
  status(): readonly NodeVerdict[]
  /** Pushes a transaction to the first usable node. Rejects with NODE_REFUSED if that node refuses it. */
  pushTransaction(tx: unknown, fluff: boolean): Promise<'pushed' | 'already-there'>
  close(): void
}

/** Commitments per request. */
const BATCH = 100

/** Verbs reject with NODE_UNAVAILABLE if no node is usable or all usable ones fail. */
export function createChain({ urls, clock, tipCacheMs = 3000, rules = tipRulesOf(), ...rpc }: ChainParts): NodeClient {
  const nodes = urls.map((url) => createNodeApi(url, rpc))
  const watch = createNodeWatch({ nodes, clock, rules, cacheMs: tipCacheMs })

  /** A refusal is final: another node would refuse the transaction too. */
  const pushTo = (tx: unknown, fluff: boolean) =>
    askOne(watch, (node) => node.pushTransaction(tx, fluff).catch(refusalOf))

  return {
    tip: async (): Promise<Tip> => {
      const [{ tip }] = await watch.usable()
      return tip
    },
    newestBlockTime() {
      const times = watch.status().flatMap(({ tipTime }) => tipTime ?? [])
      return times.length === 0 ? undefined : Math.max(...times)
    },
    kernelHeight: (excess, minHeight) => askOne(watch, (node) => node.kernelHeight(excess, minHeight)),
    async unspent(commitments) {
      const found = new Set<string>()
      for (let at = 0; at < commitments.length; at += BATCH) {
        const outputs = await askOne(watch, (node) => node.outputs(commitments.slice(at, at + BATCH)))
        for (const { commitment } of outputs) found.add(commitment)
      }
      return found
    },
    witnesses: (payment, minHeight) =>
      // `minHeight` refers to the cached tip, so the search starts lower by the node's lag.
      askAll(watch, (node, behind) => witnessOf(node, payment, Math.max(0, minHeight - behind))),
    isDisputed: watch.isDisputed,
    poolExcesses: async (count = 1) => (count < 2 ? new Set(await askOne(watch, poolOf)) : commonPool(watch, count)),
    async pushTransaction(tx, fluff) {
      const answer = await pushTo(tx, fluff)
      if (answer instanceof Error) throw answer
      return answer
    },
    async push(transaction, fluff) {
      const answer = await pushTo(JSON.parse(transaction), fluff)
      return answer instanceof Error ? { refused: answer.message } : 'pushed'
    },
    status: watch.status,
    close() {
      for (const node of nodes) node.close()
    },
  }
}

/** Asks the usable nodes in order until one responds. */
async function askOne<T>(watch: NodeWatch<NodeApi>, question: (node: NodeApi) => Promise<T>): Promise<T> {
  const reasons: string[] = []
  for (const { node } of await watch.usable()) {
    try {
      return await question(node)
    } catch (thrown) {
      if (!(thrown instanceof GrinpayError)) throw thrown
      const { message } = thrown
      reasons.push(message)
      if (!nodeRefused.is(thrown)) watch.failed(node, message)
    }
  }
  throw nodeUnavailable(reasons.join('; '))
}

/**
 * Asks all responding nodes in parallel, with their lag behind the highest tip, and reports the failures of the others. One result per
 * host. Lagging nodes take part, because a single node must not decide which tip is right.
 */
async function askAll(
  watch: NodeWatch<NodeApi>,
  question: (node: NodeApi, behind: number) => Promise<Omit<CallResult, 'host' | 'tip'>>,
): Promise<readonly Witness[]> {
  const answering = await watch.answering()
  const highest = Math.max(...answering.map(({ tip }) => tip.height))
  const answers = await Promise.all(
    answering.map(async ({ node, tip: { height } }): Promise<Witness> => {
      try {
        return { host: node.host, tip: height, ...(await question(node, highest - height)) }
      } catch (thrown) {
        if (!(thrown instanceof GrinpayError)) throw thrown
        const { message: failure } = thrown
        if (!nodeRefused.is(thrown)) watch.failed(node, failure)
        return { host: node.host, failure }
      }
    }),
  )
  const refused = watch
    .status()
    .flatMap(({ host, refusal: failure }) => (failure === undefined ? [] : [{ host, failure }]))
  return [...new Map([...refused, ...answers].map((one) => [one.host, one])).values()]
}

/** Reads the kernel first: its outputs are then visible too. */
async function witnessOf(node: NodeApi, { excess, commitment }: Asked, minHeight: number) {
  const kernelHeight = await node.kernelHeight(excess, minHeight)
  return { kernelHeight, outputThere: (await node.outputs([commitment])).length > 0 }
}

type Asked = Parameters<Chain['witnesses']>[0]
type CallResult = Extract<Witness, { readonly tip: number }>

/** Public nodes often hide their pool. */
const poolOf = (node: NodeApi): Promise<readonly string[]> =>
  node.poolExcesses().catch((thrown: unknown) => (nodeRefused.is(thrown) ? [] : Promise.reject(thrown)))

/** What at least `count` hosts have in their pools. */
async function commonPool(watch: NodeWatch<NodeApi>, count: number): Promise<ReadonlySet<string>> {
  const pools = await Promise.all(
    (await watch.answering()).map(async ({ node }) => {
      const pool = await poolOf(node).catch((thrown: unknown) => {
        if (!(thrown instanceof GrinpayError)) throw thrown
        watch.failed(node, thrown.message)
        return []
      })
      return [node.host, new Set(pool)] as const
    }),
  )
  const hosts = [...new Map(pools).values()]
  const all = new Set(hosts.flatMap((pool) => [...pool]))
  return new Set([...all].filter((excess) => hosts.filter((pool) => pool.has(excess)).length >= count))
}

const refusalOf = (thrown: unknown): GrinpayError => {
  if (nodeRefused.is(thrown)) return thrown
  throw thrown
}
