// Coins of other chains are worth nothing: every answer with an amount says so.

/** `testnet: coins without value`; null on the main chain. */
export const chainNotice = (chain: string): string | null =>
  chain === 'mainnet' ? null : `${chain}: coins without value`
