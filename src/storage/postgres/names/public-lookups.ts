// The lookups that everybody may ask: answered from memory for two seconds, and from any node while the primary is away.
import type { NameReads, PublicLookups } from '../../../authority/index.js'
import type { Queries } from '../change.js'
import type { OpenPostgres } from '../open.js'
import type { PostgresClock } from '../place.js'
import { findKey, findOfKey } from './lookups.js'

const FRESH_MS = 2000
const MOST_ANSWERS = 10_000
/** After this a standby is asked instead. */
const PRIMARY_MS = 1000

interface Remembered<T> {
  readonly answer: Promise<T>
  readonly until: number
}

export interface CachedLookups extends PublicLookups {
  /** After a change by this process: its client sees it at once. */
  forget(): void
}

export function createPublicLookups({ readAnywhere }: OpenPostgres, clock: PostgresClock): CachedLookups {
  const ask = <T>(verb: (db: Queries) => Promise<T>): Promise<T> => readAnywhere(verb, PRIMARY_MS)
  const [keys, names] = [
    createCache(clock, (name) => ask((db) => findKey(db, name))),
    createCache(clock, (pubkey) => ask((db) => findOfKey(db, pubkey))),
  ]
  return {
    keyOfName: keys.get,
    nameOfKey: names.get,
    forget() {
      keys.clear()
      names.clear()
    },
  } satisfies CachedLookups & Pick<NameReads, 'keyOfName' | 'nameOfKey'>
}

/** Questions that come while the same one is being answered share its answer. What failed is not remembered. */
function createCache<T>(clock: PostgresClock, load: (key: string) => Promise<T>) {
  const remembered = new Map<string, Remembered<T>>()

  function remember(key: string): Promise<T> {
    const now = clock.monotonic()
    const answer = load(key)
    const entry = { answer, until: now + FRESH_MS }
    // At the end, so that the first ones are the oldest.
    remembered.delete(key)
    remembered.set(key, entry)
    for (const [oldest, { until }] of remembered) {
      if (until > now && remembered.size <= MOST_ANSWERS) break
      remembered.delete(oldest)
    }
    answer.catch(() => {
      if (remembered.get(key) === entry) remembered.delete(key)
    })
    return answer
  }

  return {
    get(key: string): Promise<T> {
      const known = remembered.get(key)
      return known && known.until > clock.monotonic() ? known.answer : remember(key)
    },
    clear: () => remembered.clear(),
  }
}
