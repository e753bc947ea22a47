// Where the wallet's key counter goes on at a start (specification: grin-wallet, 10.2).

const EPOCH_2020 = 1_577_836_800_000
/** Child indexes are 31 bits wide; a clock that is absurdly far ahead must not use them up. */
const HIGHEST_START = 2 ** 31 - 2 ** 26

/** How far a counter had come (`next`), and when that was known (`at`, epoch milliseconds). */
export interface KnownKeys {
  readonly next: number
  readonly at: number
}

/**
 * The lowest index that a till started at `now` (epoch milliseconds) hands out: seconds since 2020, and at least one more for each
 * second since the database was last looked at. A key that was handed out before words, a database or a copy of one were restored must
 * never be handed out again, and nothing in such files tells how far the counter had come. Time does: a till never signs a payment every
 * second for years. Recovery in grin-wallet finds outputs at every index.
 */
export function firstKeyIndexAt(now: number, known: KnownKeys = { next: 0, at: now }): number {
  const byClock = secondsBetween(EPOCH_2020, now)
  const byAge = known.next + secondsBetween(known.at, now)
  return Math.max(0, Math.min(Math.max(byClock, byAge), HIGHEST_START))
}

/** What the store tells of the counter. */
interface CountedKeys {
  nextKeyIndex(): Promise<number>
  keysAsOf(): Promise<KnownKeys>
}

/**
 * Whether a key may go to something that can wait. Taken as of now, when a till starts: from then on such keys never take the counter
 * beyond where a start would put it that begins with this database, so one that is put back hands none of them out again.
 */
export async function createKeyPace(store: CountedKeys, now: () => number): Promise<() => Promise<boolean>> {
  const known = await store.keysAsOf()
  return async () => (await store.nextKeyIndex()) < firstKeyIndexAt(now(), known)
}

/** So many indexes are left out when a backup is restored: a till that takes a payment every second, day and night, takes half a year for them. */
export const RESTORE_SKIP = 2 ** 24
/** So many are left out when another node became the primary: more than a till hands out while its machines disagree. */
export const PROMOTION_SKIP = 4096
/** Beside them up to so many by chance, so that two tills restored from one backup are apart. */
const CHANCE = 2 ** 22

/**
 * Where the keys of a till go on that is restored at `now` from what knew this: behind everything that the lost till may have handed out
 * since, however fast it was and whatever the clock says, up to RESTORE_SKIP keys; and one more for each second since. `chance`: three random bytes.
 * 2^31 and more: there is no room left.
 */
export function restoredKeyIndexAt(now: number, known: KnownKeys, chance: Uint8Array): number {
  const [a = 0, b = 0, c = 0] = chance
  return Math.max(known.next, firstKeyIndexAt(now, known)) + RESTORE_SKIP + (((a << 16) + (b << 8) + c) % CHANCE)
}

const secondsBetween = (from: number, to: number): number => Math.max(0, Math.floor((to - from) / 1000))
