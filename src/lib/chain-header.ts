// The header of every answer of a till that names its chain: `mainnet`, `testnet`, `usernet` or `sandbox`.

export const CHAIN_HEADER = 'x-grin-chain'

const CHAINS: readonly unknown[] = ['mainnet', 'testnet', 'usernet', 'sandbox']

/** The chain in these headers; undefined where an older till, or something else, answered. */
export function chainIn(headers: Readonly<Record<string, unknown>>): string | undefined {
  const value = headers[CHAIN_HEADER]
  return typeof value === 'string' && CHAINS.includes(value) ? value : undefined
}
