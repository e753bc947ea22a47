// Watches the nodes' tips. It asks only when a caller needs a node and the last answer is some seconds old.
import { backoff } from '../lib/backoff.js'
import { GrinpayError } from '../lib/errors.js'
import type { Tip } from '../till/index.js'
import type { NodeHeader } from './answers.js'
import { nodeUnavailable } from './errors.js'
import type { NodeApi } from './node-api.js'
import { judgeNodes, type NodeSighting, type NodeVerdict, refusalAlone, type TipRules } from './tips.js'

/** What is asked of a node to judge it. */
export type JudgedNode = Pick<NodeApi, 'host' | 'tip'> & {
  /** Of the block with this hash; undefined where there is none. */
  header(at: { readonly hash: string }): Promise<Pick<NodeHeader, 'timestamp'> | undefined>
}

interface UsableNode<N extends JudgedNode> {
  readonly node: N
  readonly tip: Tip
}

export interface NodeWatch<N extends JudgedNode> {
  /** In the configured order. Rejects with `none` of the parts when there is none. */
  usable(): Promise<readonly [UsableNode<N>, ...UsableNode<N>[]]>
  /** Those that answer with a tip that is not too old, however far another one claims to be ahead. In the configured order. */
  answering(): Promise<readonly UsableNode<N>[]>
  /** As last seen: some of these are not usable. */
  isDisputed(): boolean
  /** A question other than for the tip failed: the node is left alone for a while. */
  failed(node: N, why: string): void
  status(): readonly NodeVerdict[]
}

export interface WatchParts<N extends JudgedNode> {
  readonly nodes: readonly N[]
  /** Time for the age of blocks, the monotonic one for waiting. */
  readonly clock: { now(): number; monotonic(): number }
  readonly rules: TipRules
  readonly cacheMs: number
  /** The failure when no node is usable, from the reasons of all; NODE_UNAVAILABLE unless given. */
  readonly none?: (reasons: string) => GrinpayError
}

/** A failing node is asked again after 2 s, then after 4 s: readiness tells within 10 s that it is back. */
const RETRY_MS = 2000
const RETRY_MOST_MS = 4000

interface Watched<N extends JudgedNode> {
  readonly node: N
  sighting: NodeSighting
  failures: number
  /** Not asked for its tip before this monotonic time. */
  nextAt: number
  asking: Promise<void> | undefined
}

/** Asks nothing by itself: only `usable` does, and no node more often than its last answer allows. */
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

  /** Asks what is due. Only nodes that were fine are waited for, unless none is: a hanging node delays callers once. */
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

/** The header is asked for only when the tip is another; a node that refuses to show headers is not judged by age. */
async function tipTimeOf({ node, sighting }: Watched<JudgedNode>, tip: Tip): Promise<number | undefined> {
  if (sighting.tip?.hash === tip.hash) return sighting.tipTime
  return node.header({ hash: tip.hash }).then(
    (header) => header?.timestamp,
    (thrown: unknown) => (thrown instanceof GrinpayError ? undefined : Promise.reject(thrown)),
  )
}
