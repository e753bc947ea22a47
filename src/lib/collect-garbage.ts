// Giving memory back. Node does it by itself only under load: a quiet process or thread keeps the room that reading its modules
// took, and that of its busiest hour.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How long nothing must have happened for the engine to give room back, and not only to collect, in milliseconds. */
export const QUIET_MS = 15_000

/** Collects all garbage of this thread: up to 50 ms. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc') // in contexts that are made from now on
  const collect: unknown = runInNewContext('globalThis.gc')
  setFlagsFromString('--no-expose-gc')
  if (typeof collect === 'function') collect()
}

/**
 * Lets the old generation grow to three times what was alive after the last full collection. By itself Node collects it all when it has grown by
 * some 7 MB, which a relay at 1,000 events a second does every two to four seconds, for 20 ms.
 */
export const collectSeldom = (): void => setFlagsFromString('--heap-growing-percent=200')
