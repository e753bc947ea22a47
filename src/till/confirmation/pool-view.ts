// The pools of the nodes as one pass sees them: each question is asked once, whatever the number of payments.
import type { Chain } from '../ports.js'

/** Excesses (hex) in the pools of at least so many nodes. */
export type PoolView = (nodes: number) => Promise<ReadonlySet<string>>

export function createPoolView(chain: Pick<Chain, 'poolExcesses'>): PoolView {
  const pools = new Map<number, Promise<ReadonlySet<string>>>()
  return (nodes) => {
    const pool = pools.get(nodes) ?? chain.poolExcesses(nodes)
    pools.set(nodes, pool)
    return pool
  }
}
