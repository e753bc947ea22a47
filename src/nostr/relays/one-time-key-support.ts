// Whether a relay sends gift wraps of one-time keys over the main connection. Some send them only to a connection that is authenticated
// with that key. Not all of these say so: the others are detected by a probe.
import type { RelayLog } from './ports.js'
import type { Group } from './watch-plan.js'

export type OneTimeKeySupport = 'served' | 'per-connection' | 'unknown'

export interface OneTimeKeySupportParts {
  readonly url: string
  readonly log: RelayLog
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
