// The chains of Grin: the first blocks of the public ones, and the header of every answer of a till that names its chain.

/** The public chains by the hash of their first block, 64 hex: it tells one chain from another at every node. */
const FIRST_BLOCKS: Readonly<Record<string, string>> = {
  mainnet: '40adad0aec27797b48840aa9e00472015c21baea118ce7a2ff1a82c0f8f5bf82',
  testnet: 'edc758c1370d43e1d733f70f58cf187c3be8242830429b1676b89fd91ccf2dab',
}

/** Hash of the first block of a public chain, 64 hex; undefined for a private chain, whose first block is its own. */
export const firstBlockOf = (chain: string): string | undefined =>
  Object.hasOwn(FIRST_BLOCKS, chain) ? FIRST_BLOCKS[chain] : undefined

/** The public chain that begins with this block (64 hex); undefined for a private chain. */
export const chainOfFirstBlock = (hash: string): string | undefined =>
  Object.keys(FIRST_BLOCKS).find((chain) => FIRST_BLOCKS[chain] === hash)

/** Names the chain of a till in every answer: `mainnet`, `testnet`, `usernet` or `sandbox`. */
export const CHAIN_HEADER = 'x-grin-chain'

const CHAINS: readonly unknown[] = ['mainnet', 'testnet', 'usernet', 'sandbox']

/** The chain in these headers; undefined where an older till, or something else, answered. */
export function chainIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  const value = headers[CHAIN_HEADER]
  return typeof value === 'string' && CHAINS.includes(value) ? value : undefined
}
