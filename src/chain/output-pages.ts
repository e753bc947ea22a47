// Pages through the unspent outputs for a wallet scan.
import type { NodeOutput, OutputPage } from './answers.js'
import { nodeUnreachable } from './errors.js'

export interface OutputRange {
  /** First index, from 1. */
  readonly first: number
  /** Last index, or null for all outputs. */
  readonly last: number | null
  /** Outputs per page, at most 10000; default 1000. */
  readonly pageSize?: number
  /** Range proofs too; default true. */
  readonly proofs?: boolean
  /** Checked between pages. */
  readonly signal?: AbortSignal
}

/** More than chains need at a thousand outputs per page. */
const MAX_PAGES = 100_000

export interface PageSource {
  readonly host: string
  readonly page: (first: number, last: number | null, most: number) => Promise<OutputPage>
}

/** Pages up to the highest index. Throws NODE_UNREACHABLE if the node makes no progress, so this always ends. */
export async function* outputPages(
  { host, page }: PageSource,
  range: OutputRange,
): AsyncGenerator<readonly NodeOutput[]> {
  const { last, pageSize = 1000, signal } = range
  let next = range.first
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    signal?.throwIfAborted()
    const { highest, last: reached, outputs } = await page(next, last, pageSize)
    if (outputs.length > 0) yield outputs
    if (reached >= highest || outputs.length === 0) return
    if (reached < next) throw nodeUnreachable(host, 'its pages of outputs do not move forward')
    next = reached + 1
  }
}
