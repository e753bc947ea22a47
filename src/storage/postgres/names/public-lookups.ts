// The lookups that everybody may ask: answered from memory for two seconds, from any node while the primary is away, and from memory again,
// up to ten minutes old, while nothing answers, as when a foreign transaction has locked the table.
import type { Aged, PublicLookups } from '../../../authority/index.js'
import type { Clock } from '../../../lib/ports.js'
import { databaseUnavailable } from '../../errors.js'
import { findKey, findOfKey } from '../../names/lookups.js'
import type { Verb } from '../../verbs.js'
import type { OpenPostgres } from '../open.js'
import { runVerb } from '../run-verb.js'
import { within } from '../within.js'

const FRESH_MS = 2000
/** An older answer is none. */
const STALE_MS = 10 * 60 * 1000
const MOST_ANSWERS = 10_000
/** After this a standby is asked instead. */
const PRIMARY_MS = 1000

interface Remembered<T> {
  readonly answer: T
  /** Monotonic: when it was asked for. */
  readonly at: number
  /** Until then nothing newer is asked for, unless this process changes something. */
  until: number
  changes: number
}

export interface CachedLookups extends PublicLookups {
  /** After a change by this process: its client sees it at once. */
  forget(): void
}

export function createPublicLookups({ readAnywhere }: Pick<OpenPostgres, 'readAnywhere'>, clock: Clock): CachedLookups {
  const ask = <T>(verb: () => Verb<T>): Promise<T> => readAnywhere((db) => runVerb(db, verb()), PRIMARY_MS)
  const [keys, names] = [
    createCache(clock, (name) => ask(() => findKey(name))),
    createCache(clock, (pubkey) => ask(() => findOfKey(pubkey))),
  ]
  return {
    keyOfName: keys.get,
    nameOfKey: names.get,
    forget() {
      keys.forget()
      names.forget()
    },
  }
}

/** Questions that come while the same one is being answered share its answer. */
function createCache<T>(clock: Clock, load: (key: string) => Promise<T>) {
  const remembered = new Map<string, Remembered<T>>()
  const loading = new Map<string, Promise<T>>()
  let changes = 0

  function remember(key: string, entry: Remembered<T>): void {
    // At the end, so that the first ones are the oldest.
    remembered.delete(key)
    remembered.set(key, entry)
    for (const [oldest, { at }] of remembered) {
      if (isUsable(at) && remembered.size <= MOST_ANSWERS) break
      remembered.delete(oldest)
    }
  }

  const isUsable = (at: number): boolean => clock.monotonic() - at <= STALE_MS

  async function loadNow(key: string): Promise<T> {
    const at = clock.monotonic()
    const before = changes
    try {
      const answer = await load(key)
      remember(key, { answer, at, until: at + FRESH_MS, changes: before })
      return answer
    } catch (error) {
      // What is remembered serves meanwhile; it is asked for again soon.
      const known = remembered.get(key)
      if (known) Object.assign(known, { until: clock.monotonic() + FRESH_MS, changes: before })
      throw error
    }
  }

  function loadOnce(key: string): Promise<T> {
    const begun = loading.get(key)
    if (begun) return begun
    const answer = loadNow(key).finally(() => {
      if (loading.get(key) === answer) loading.delete(key)
    })
    answer.catch(() => undefined)
    loading.set(key, answer)
    return answer
  }

  function use({ answer, at }: Remembered<T>, aged: Aged | undefined): T {
    const ageMs = clock.monotonic() - at
    if (ageMs > FRESH_MS) aged?.(ageMs)
    return answer
  }

  return {
    async get(key: string, aged?: Aged): Promise<T> {
      const known = remembered.get(key)
      if (known && known.changes === changes && clock.monotonic() < known.until) return use(known, aged)
      const answer = loadOnce(key)
      if (!known || !isUsable(known.at)) return answer
      const found = await within(
        clock,
        PRIMARY_MS,
        answer.then((value) => ({ value }), lateWhenUnavailable),
      )
      return found === 'late' ? use(known, aged) : found.value
    },
    forget() {
      changes += 1
      loading.clear()
    },
  }
}

function lateWhenUnavailable(error: unknown): 'late' {
  if (databaseUnavailable.is(error)) return 'late'
  throw error
}
