// Whether a relay sends gift wraps of one-time keys over the main connection. Some send them only to a connection that is authenticated
// with that key. Not all of these say so: the others are detected by a probe.

import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { GIFT_WRAP_KIND, signEvent } from '../event/index.js'
import { freshSecret, publicKeyOf } from '../keys/index.js'
import type { RelayClient } from './client.js'
import { liveFilters, seconds } from './filters.js'
import type { PoolLog } from './ports.js'
import type { Group } from './watch-plan.js'

export type OneTimeKeySupport = 'served' | 'per-connection' | 'unknown'

export interface OneTimeKeySupportParts {
  readonly url: string
  readonly log: PoolLog
  readonly mainPubkey: string
  readonly isMainWatched: () => boolean
  /** One-time keys need connections of their own from now on. */
  readonly onPerConnection: () => void
}

export interface OneTimeKeysVerdict {
  state(): OneTimeKeySupport
  /** A new main connection. */
  connected(): void
  challenged(): void
  /** A subscription was answered. */
  served(group: Group): void
  /** A gift wrap to this key arrived over the main connection. */
  arrived(to: string): void
  /** The relay refuses this subscription to the authenticated key. */
  restricted(group: Group): void
  /** Whether the probe came back over the main connection. */
  probed(cameBack: boolean): void
}

export function createOneTimeKeySupport(parts: OneTimeKeySupportParts): OneTimeKeysVerdict {
  const { url, log, mainPubkey, isMainWatched, onPerConnection } = parts
  let state: OneTimeKeySupport = 'unknown'
  let isChallenged = false
  let isMainServed = false

  const isMain = ({ keys }: Group) => keys.has(mainPubkey)

  function decide(next: OneTimeKeySupport): void {
    if (state !== 'unknown') return
    state = next
    if (next !== 'per-connection') return
    log.warn(
      { relay: url },
      'this relay gives mail only to its addressee: invoices get one connection each there, at most 40; prefer another relay',
    )
    onPerConnection()
  }

  return {
    state: () => state,
    connected() {
      isChallenged = false
      isMainServed = false
    },
    challenged() {
      isChallenged = true
    },
    served(group) {
      if (isMain(group)) isMainServed = true
      // A relay that never challenges cannot distinguish readers.
      else if (!isChallenged) decide('served')
    },
    arrived(to) {
      if (to !== mainPubkey) decide('served')
    },
    restricted(group) {
      // If the relay refuses even the main key, more connections do not help.
      if (isMain(group) || (!isMainServed && isMainWatched())) return
      if (state === 'served') state = 'unknown'
      decide('per-connection')
    },
    probed: (cameBack) => decide(cameBack ? 'served' : 'per-connection'),
  }
}

// Sends a gift wrap to a fresh key: tests whether an authenticating relay delivers to one-time keys over the main connection.

const SUB = 'probe'
const ANSWER_MS = 10_000
const ARRIVAL_MS = 5000
/** As long and as random as a small message, so that a relay cannot distinguish the two. */
const CONTENT_BYTES = 900

/** Whether the wrap came back. Undefined: the relay refused it, or the connection ended. */
export async function probe(
  client: RelayClient,
  { clock, random }: { readonly clock: Clock; readonly random: RandomBytes },
): Promise<boolean | undefined> {
  const to = publicKeyOf(freshSecret(random))
  const content = Buffer.from(random.bytes(CONTENT_BYTES)).toString('base64')
  const letter = { kind: GIFT_WRAP_KIND, created_at: seconds(clock.now()), tags: [['p', to]], content }
  const arrival = new AbortController()
  let cameBack = false
  const nothing = () => undefined
  client.subs.open(SUB, liveFilters([to], clock.now()), {
    event() {
      cameBack = true
      arrival.abort()
      return true
    },
    eose: nothing,
    closed: nothing,
  })
  const { accepted } = await client.publish(signEvent(letter, freshSecret(random), random), ANSWER_MS)
  if (accepted && !cameBack) await clock.sleep(ARRIVAL_MS, arrival.signal)
  client.subs.close(SUB)
  return accepted ? cameBack : undefined
}
