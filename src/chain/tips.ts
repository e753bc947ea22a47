// Decides which nodes are usable (specification: invoicing, 6): a node that lags or stalls would hide payments.
import type { Tip } from '../till/index.js'

/** The last observation of one node. */
export interface NodeSighting {
  readonly host: string
  readonly tip: Tip | undefined
  /** Time in the tip's header, epoch milliseconds; undefined if unknown. */
  readonly tipTime: number | undefined
  /** The error of the last request. */
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
/** The rules of a private chain, where blocks come on demand. */
export const PRIVATE_CHAIN_RULES: TipRules = { ...PUBLIC, maxAgeMs: undefined }

/** The rules of till, name authority and doctor. `chain` undefined: a public chain. */
export const tipRulesOf = (chain?: string): TipRules =>
  chain === 'usernet' || chain === 'sandbox' ? PRIVATE_CHAIN_RULES : PUBLIC

export interface NodeVerdict extends NodeSighting {
  /** Undefined if the node is usable. */
  readonly refusal: string | undefined
}

/** Compares all nodes, and keeps their order. */
export function judgeNodes(seen: readonly NodeSighting[], now: number, rules: TipRules): readonly NodeVerdict[] {
  const alone = seen.map((node) => ({ ...node, refusal: refusalAlone(node, now, rules) }))
  const heights = alone.flatMap(({ refusal, tip }) => (refusal === undefined && tip ? [tip.height] : []))
  const best = Math.max(...heights)
  return alone.map((node) => ({ ...node, refusal: node.refusal ?? lagRefusal(node, best, rules.maxLag) }))
}

/** Why a node is unusable on its own, without comparison; undefined if it is not. */
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
