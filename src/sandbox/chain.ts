// The simulated chain as a state machine: pool, blocks, forks. No time, no randomness, no sockets of its own.
import { quickRefusal, refusalFor } from './admission.js'
import { type Block, blockBodyOf, type Coinbase, type Seal } from './block.js'
import { reorgTooDeep } from './errors.js'
import { createLedger, type Ledger } from './ledger.js'
import type { TransactionJson } from './transaction.js'

export interface PoolEntry {
  readonly transaction: TransactionJson
  /** Epoch milliseconds. */
  readonly at: number
}

export interface SimulatedChainParts {
  readonly seal: Seal
  /** Epoch milliseconds of block 0. */
  readonly genesisAt: number
  /** Blocks until a coinbase may be spent; a private Grin network uses 3. */
  readonly maturity?: number
}

export interface MineOptions {
  readonly coinbase?: Coinbase
  /** Leaves the pool alone. */
  readonly empty?: boolean
}

export interface ReorgOptions {
  /** The transactions of the lost blocks do not return to the pool. */
  readonly forget?: boolean
}

export interface SimulatedChain {
  /** What can be read; its own verbs are for the chain only. */
  readonly ledger: Ledger
  pool(): readonly PoolEntry[]
  /** A node's word against the transaction that needs no arithmetic, or undefined. */
  quickRefusal(transaction: TransactionJson): string | undefined
  /** Takes it into the pool, or answers a node's refusal. Sums and signatures are the caller's business. */
  admit(transaction: TransactionJson, at: number): string | undefined
  mine(at: number, options?: MineOptions): Block
  /** Replaces the last `depth` blocks by `depth + 1` empty ones. Throws REORG_TOO_DEEP. */
  reorg(depth: number, at: number, options?: ReorgOptions): readonly Block[]
}

const DEFAULT_MATURITY = 3

/** A chain with nothing but block 0. */
export function createSimulatedChain({
  seal,
  genesisAt,
  maturity = DEFAULT_MATURITY,
}: SimulatedChainParts): SimulatedChain {
  const ledger = createLedger(seal, genesisAt)
  let pool: readonly PoolEntry[] = []

  const judged = () => ({ ledger, maturity, pool: pool.map((entry) => entry.transaction) })

  function admit(transaction: TransactionJson, at: number): string | undefined {
    const refusal = refusalFor(transaction, judged())
    if (refusal === undefined) pool = [...pool, { transaction, at }]
    return refusal
  }

  /** After the chain changed under the pool, only what is still valid stays. */
  function refill(entries: readonly PoolEntry[]): void {
    pool = []
    for (const { transaction, at } of entries) admit(transaction, at)
  }

  function mine(at: number, { coinbase, empty = false }: MineOptions = {}): Block {
    const taken = empty ? [] : pool.map((entry) => entry.transaction)
    if (!empty) pool = []
    return ledger.append(blockBodyOf(taken, coinbase), at, taken)
  }

  function reorg(depth: number, at: number, { forget = false }: ReorgOptions = {}): readonly Block[] {
    if (!Number.isSafeInteger(depth) || depth < 1 || depth > ledger.tip().height)
      throw reorgTooDeep(depth, ledger.tip().height)
    const lost = Array.from({ length: depth }, () => ledger.undo()).reverse()
    const orphans = lost.flatMap((block) => block?.transactions ?? []).map((transaction) => ({ transaction, at }))
    const fork = Array.from({ length: depth + 1 }, () => mine(at, { empty: true }))
    refill(forget ? pool : [...orphans, ...pool])
    return fork
  }

  return {
    ledger,
    pool: () => pool,
    quickRefusal: (transaction) => quickRefusal(transaction, judged()),
    admit,
    mine,
    reorg,
  }
}
