// Identifies a node's public chain by the hash of its first block.
import { chainOfFirstBlock } from '../lib/first-blocks.js'
import { createNodeApi } from './node-api.js'

/** Undefined for a private chain, and for a node that does not return its first block within `timeoutMs`. */
export async function chainOfNode(url: string, timeoutMs: number): Promise<string | undefined> {
  const node = createNodeApi(url, { timeoutMs })
  try {
    const first = await node.header({ height: 0 })
    return first === undefined ? undefined : chainOfFirstBlock(first.hash)
  } catch {
    return undefined
  } finally {
    node.close()
  }
}
