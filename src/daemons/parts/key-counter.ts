// Where the wallet's key counter goes on at a start (specification: grin-wallet, 10.2).

const EPOCH_2020 = 1_577_836_800_000
/** Child indexes are 31 bits wide; a clock that is absurdly far ahead must not use them up. */
const HIGHEST_START = 2 ** 31 - 2 ** 26

/**
 * The lowest index that a till started at `now` (epoch milliseconds) hands out: seconds since 2020. A key that was handed out
 * before words, a database or a backup of one were restored must never be handed out again, and nothing in such files tells
 * how far the counter had come. Time does: a till never signs a payment every second for years. Recovery in grin-wallet finds
 * outputs at any index.
 */
export const firstKeyIndexAt = (now: number): number =>
  Math.max(0, Math.min(Math.floor((now - EPOCH_2020) / 1000), HIGHEST_START))
