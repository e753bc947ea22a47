// Whose coins the prices of a name authority are: it has no chain of its own.
import { chainOfNode } from '../chain/index.js'
import { httpTransport } from '../client/index.js'

/** A command waits so long for one answer, ms. */
const PATIENCE_MS = 2000
const MOST_BYTES = 64 * 1024

export interface PricedBy {
  /** The till that makes its invoices. */
  readonly payUrl: string | undefined
  /** The nodes that see the payments of sales, best first. */
  readonly nodeUrls: readonly string[]
}

/** As the till says it in the header of its answers; without a till as the first node has it. Undefined where that one does not tell. */
export async function chainOfNames({ payUrl, nodeUrls }: PricedBy): Promise<string | undefined> {
  const [node] = nodeUrls
  if (payUrl === undefined) return node === undefined ? undefined : chainOfNode(node, PATIENCE_MS)
  try {
    const url = `${payUrl.replace(/\/+$/, '')}/health`
    return (await httpTransport(PATIENCE_MS, MOST_BYTES, 'the till')({ method: 'GET', url })).chain
  } catch {
    return undefined
  }
}
