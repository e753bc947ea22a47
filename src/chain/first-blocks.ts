// Identifies a node's public chain by the hash of its first block.
import { createNodeApi } from './node-api.js'

const FIRST_BLOCKS: Readonly<Record<string, string>> = {
  '40adad0aec27797b48840aa9e00472015c21baea118ce7a2ff1a82c0f8f5bf82': 'mainnet',
  edc758c1370d43e1d733f70f58cf187c3be8242830429b1676b89fd91ccf2dab: 'testnet',
}

/** Undefined for a private chain, and for a node that does not return its first block within `timeoutMs`. */
export async function chainOfNode(url: string, timeoutMs: number): Promise<string | undefined> {
  const node = createNodeApi(url, { timeoutMs })
  try {
    const first = await node.header({ height: 0 })
    return first === undefined ? undefined : FIRST_BLOCKS[first.hash]
  } catch {
    return undefined
  } finally {
    node.close()
  }
}
