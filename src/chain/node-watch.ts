// Keeps an eye on the nodes' tips: asks when somebody wants to know and the last answer is some seconds old.
import { backoff } from '../lib/backoff.js'
import { GrinpayError } from '../lib/errors.js'
import type { Tip } from '../till/index.js'
import { nodeUnavailable } from './errors.js'
import type { NodeApi } from './node-api.js'
import { judgeNodes, type NodeSighting, type NodeVerdict, type TipRules } from './tips.js'

interface UsableNode {
  readonly node: NodeApi
  readonly tip: Tip
}

export interface NodeWatch {
  /** In the configured order. Rejects with NODE_UNAVAILABLE when there is none. */
  usable(): Promise<readonly [UsableNode, ...UsableNode[]]>
  /** A question other than for the tip failed: the node is left alone for a while. */
  failed(node: NodeApi, why: string): void
  status(): readonly NodeVerdict[]
}

export interface WatchParts {
  readonly nodes: readonly NodeApi[]
  /** Time for the age of blocks, the monotonic one for waiting. */
  readonly clock: { now(): number; monotonic(): number }
  readonly rules: TipRules
  readonly cacheMs: number
}

/** A failing node is asked again after 2 s, then after 4 s: readiness tells within 10 s that it is back. */
const RETRY_MS = 2000
const RETRY_MOST_MS = 4000

interface Watched {
  readonly node: NodeApi
  sighting: NodeSighting
  failures: number
  /** Not asked for its tip before this monotonic time. */
  nextAt: number
  asking: Promise<void> | undefined
}

/** Asks nothing by itself: only `usable` does, and no node more often than its last answer allows. */
export function createNodeWatch({ nodes, clock, rules, cacheMs }: WatchParts): NodeWatch {
  const watched = nodes.map((node) => watchedOf(node))

  function noteFailure(entry: Watched, failure: string): void {
    entry.failures++
    entry.sighting = { ...entry.sighting, failure }
    entry.nextAt = clock.monotonic() + backoff(entry.failures, RETRY_MS, RETRY_MOST_MS)
  }

  async function look(entry: Watched): Promise<void> {
    try {
      const tip = await entry.node.tip()
      const tipTime = await tipTimeOf(entry, tip)
      entry.sighting = { host: entry.node.host, tip, tipTime, failure: undefined }
      entry.failures = 0
      entry.nextAt = clock.monotonic() + cacheMs
    } catch (thrown) {
      if (!(thrown instanceof GrinpayError)) throw thrown
      noteFailure(entry, thrown.message)
    }
  }

  /** Asks what is due. Only nodes that were fine are waited for, unless none is: a hanging node holds nobody up twice. */
  async function refresh(): Promise<void> {
    const now = clock.monotonic()
    for (const entry of watched) {
      if (entry.nextAt > now || entry.asking) continue
      entry.asking = look(entry).finally(() => {
        entry.asking = undefined
      })
    }
    const fine = watched.filter(({ failures }) => failures === 0)
    await Promise.all(fine.map(({ asking }) => asking))
    if (usableNow().length === 0) await Promise.all(watched.map(({ asking }) => asking))
  }

  const status = () =>
    judgeNodes(
      watched.map(({ sighting }) => sighting),
      clock.now(),
      rules,
    )

  const usableNow = (): UsableNode[] =>
    status().flatMap(({ refusal, tip, tipTime }, index) => {
      const node = nodes[index]
      return refusal === undefined && tip && node ? [{ node, tip: { ...tip, time: tipTime } }] : []
    })

  return {
    async usable() {
      await refresh()
      const [first, ...rest] = usableNow()
      if (!first) throw nodeUnavailable(status().map(reasonOf).join('; '))
      return [first, ...rest]
    },
    failed(node, why) {
      for (const entry of watched) if (entry.node === node) noteFailure(entry, why)
    },
    status,
  }
}

const watchedOf = (node: NodeApi): Watched => ({
  node,
  sighting: { host: node.host, tip: undefined, tipTime: undefined, failure: undefined },
  failures: 0,
  nextAt: Number.NEGATIVE_INFINITY,
  asking: undefined,
})

const reasonOf = ({ host, refusal = '' }: NodeVerdict): string =>
  refusal.includes(host) ? refusal : `${host}: ${refusal}`

/** The header is asked for only when the tip is another; a node that refuses to show headers is not judged by age. */
async function tipTimeOf({ node, sighting }: Watched, tip: Tip): Promise<number | undefined> {
  if (sighting.tip?.hash === tip.hash) return sighting.tipTime
  return node.header({ hash: tip.hash }).then(
    (header) => header?.timestamp,
    (thrown: unknown) => (thrown instanceof GrinpayError ? undefined : Promise.reject(thrown)),
  )
}
