// Watches the nodes' tips. It makes requests only if a caller needs a node and the last response is some seconds old.
import { backoff } from '../lib/backoff.js'
import { GrinpayError } from '../lib/errors.js'
import type { Clock } from '../lib/ports.js'
import type { Tip } from '../till/index.js'
import type { NodeHeader } from './answers.js'
import { nodeUnavailable } from './errors.js'
import type { NodeApi } from './node-api.js'
import { judgeNodes, type NodeSighting, type NodeVerdict, refusalAlone, type TipRules } from './tips.js'

/** The queries that judge a node. */
export type JudgedNode = Pick<NodeApi, 'host' | 'tip'> & {
  /** The header of the block with this hash; undefined if there is none. */
  header(at: { readonly hash: string }): Promise<Pick<NodeHeader, 'timestamp'> | undefined>
}

interface UsableNode<N extends JudgedNode> {
  readonly node: N
  readonly tip: Tip
}

export interface NodeWatch<N extends JudgedNode> {
  /** In the configured order. Rejects with `none` of the parts if the list is empty. */
  usable(): Promise<readonly [UsableNode<N>, ...UsableNode<N>[]]>
  /** Nodes with a recent tip, whatever their lag. In the configured order. */
  answering(): Promise<readonly UsableNode<N>[]>
  /** Whether a node with a recent tip lagged behind the others at the last check. */
  isDisputed(): boolean
  /** Reports a failed request other than for the tip: the node is skipped for a while. */
  failed(node: N, why: string): void
  status(): readonly NodeVerdict[]
}

export interface WatchParts<N extends JudgedNode> {
  readonly nodes: readonly N[]
  /** `now` for the age of blocks, `monotonic` for waiting. */
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly rules: TipRules
  readonly cacheMs: number
  /** The error without a usable node, from the reasons of all; default NODE_UNAVAILABLE. */
  readonly none?: (reasons: string) => GrinpayError
}

/** A failing node is asked again after 2 s, then after 4 s, so that readiness recovers within 10 s. */
const RETRY_MS = 2000
const RETRY_MOST_MS = 4000

interface Watched<N extends JudgedNode> {
  readonly node: N
  sighting: NodeSighting
  failures: number
  /** Monotonic time of the next tip request. */
  nextAt: number
  asking: Promise<void> | undefined
}

/** Makes no requests by itself; only its verbs do, and no node is asked before its `nextAt`. */
export function createNodeWatch<N extends JudgedNode>({
  nodes,
  clock,
  rules,
  cacheMs,
  none = nodeUnavailable,
}: WatchParts<N>): NodeWatch<N> {
  const watched = nodes.map((node) => watchedOf(node))

  function noteFailure(entry: Watched<N>, failure: string): void {
    entry.failures++
    entry.sighting = { ...entry.sighting, failure }
    entry.nextAt = clock.monotonic() + backoff(entry.failures, RETRY_MS, RETRY_MOST_MS)
  }

  async function look(entry: Watched<N>): Promise<void> {
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

  /** Asks the due nodes. Waits only for nodes that were healthy, so that a hanging node delays callers once. */
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

  const usableNow = (): UsableNode<N>[] =>
    status().flatMap(({ refusal, tip, tipTime }, index) => {
      const node = nodes[index]
      return refusal === undefined && tip && node ? [{ node, tip: { ...tip, time: tipTime } }] : []
    })

  const answeringNow = (): UsableNode<N>[] =>
    watched.flatMap(({ node, sighting }) =>
      sighting.tip && refusalAlone(sighting, clock.now(), rules) === undefined ? [{ node, tip: sighting.tip }] : [],
    )

  return {
    async answering() {
      await refresh()
      return answeringNow()
    },
    isDisputed: () => answeringNow().length > usableNow().length,
    async usable() {
      await refresh()
      const [first, ...rest] = usableNow()
      if (!first) throw none(status().map(reasonOf).join('; '))
      return [first, ...rest]
    },
    failed(node, why) {
      for (const entry of watched) if (entry.node === node) noteFailure(entry, why)
    },
    status,
  }
}

const watchedOf = <N extends JudgedNode>(node: N): Watched<N> => ({
  node,
  sighting: { host: node.host, tip: undefined, tipTime: undefined, failure: undefined },
  failures: 0,
  nextAt: Number.NEGATIVE_INFINITY,
  asking: undefined,
})

const reasonOf = ({ host, refusal = '' }: NodeVerdict): string =>
  refusal.includes(host) ? refusal : `${host}: ${refusal}`

/** Requests the header only for a new tip. A node that refuses headers is not judged by age. */
async function tipTimeOf({ node, sighting }: Watched<JudgedNode>, tip: Tip): Promise<number | undefined> {
  if (sighting.tip?.hash === tip.hash) return sighting.tipTime
  return node.header({ hash: tip.hash }).then(
    (header) => header?.timestamp,
    (thrown: unknown) => (thrown instanceof GrinpayError ? undefined : Promise.reject(thrown)),
  )
}
