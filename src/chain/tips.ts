// Which nodes are worth asking (specification: invoicing, 6): a node that lags or stands still would hide payments.
import type { Tip } from '../till/index.js'

/** What was last seen of one node. */
export interface NodeSighting {
  readonly host: string
  readonly tip: Tip | undefined
  /** Time in the tip's header, epoch milliseconds; undefined where the node does not tell. */
  readonly tipTime: number | undefined
  /** Why the last question failed. */
  readonly failure: string | undefined
}

export interface TipRules {
  /** Blocks a node may be behind the best one. */
  readonly maxLag: number
  /** Milliseconds since the tip's header; undefined = no limit (private chains). */
  readonly maxAgeMs: number | undefined
}

/** The rules of a public chain: a block comes each minute. */
const PUBLIC: TipRules = { maxLag: 10, maxAgeMs: 3_600_000 }
/** Of a private one, where blocks come on demand. */
export const PRIVATE_CHAIN_RULES: TipRules = { ...PUBLIC, maxAgeMs: undefined }

/** The one place that says when a node counts: for the till, the name authority and the doctor of both. Undefined: a public chain. */
export const tipRulesOf = (chain?: string): TipRules =>
  chain === 'usernet' || chain === 'sandbox' ? PRIVATE_CHAIN_RULES : PUBLIC

export interface NodeVerdict extends NodeSighting {
  /** Undefined when the node is good to use. */
  readonly refusal: string | undefined
}

/** Judges all nodes against each other, order kept. */
export function judgeNodes(seen: readonly NodeSighting[], now: number, rules: TipRules): readonly NodeVerdict[] {
  const alone = seen.map((node) => ({ ...node, refusal: refusalAlone(node, now, rules) }))
  const heights = alone.flatMap(({ refusal, tip }) => (refusal === undefined && tip ? [tip.height] : []))
  const best = Math.max(...heights)
  return alone.map((node) => ({ ...node, refusal: node.refusal ?? lagRefusal(node, best, rules.maxLag) }))
}

/** Why a node is no good whatever the others say; undefined when its own word counts. */
export function refusalAlone(node: NodeSighting, now: number, { maxAgeMs }: TipRules): string | undefined {
  if (node.failure !== undefined) return node.failure
  if (node.tip === undefined) return 'not asked yet'
  const age = node.tipTime === undefined ? 0 : now - node.tipTime
  return maxAgeMs !== undefined && age > maxAgeMs
    ? `its newest block is ${Math.floor(age / 60_000)} minutes old`
    : undefined
}

function lagRefusal({ tip }: NodeSighting, best: number, maxLag: number): string | undefined {
  const lag = best - (tip?.height ?? 0)
  return lag > maxLag ? `it is ${lag} blocks behind` : undefined
}
