// What differs between Grin's chains for a wallet: the prefix of addresses, and when a coinbase may be spent.
import type { AddressPrefix } from '../grin/slatepack/index.js'

/** `usernet` and `sandbox` are private chains. */
export type ChainType = 'mainnet' | 'testnet' | 'usernet' | 'sandbox'

/** What a wallet must know of its chain. */
export interface ChainRules {
  readonly prefix: AddressPrefix
  /** Blocks until a coinbase may be spent: a coinbase of height h from height h + maturity. */
  readonly coinbaseMaturity: number
}

/** Specification: grin-network, 1. */
export const CHAIN_RULES: Readonly<Record<ChainType, ChainRules>> = {
  mainnet: { prefix: 'grin', coinbaseMaturity: 1440 },
  testnet: { prefix: 'tgrin', coinbaseMaturity: 1440 },
  usernet: { prefix: 'tgrin', coinbaseMaturity: 3 },
  sandbox: { prefix: 'tgrin', coinbaseMaturity: 3 },
}
