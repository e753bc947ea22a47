// Whether a relay gives mail to one-time keys over the main connection. Some give it only to a connection of that very key; some
// of these say so, others just stay silent, which only a letter to ourselves can show.
import type { RelayLog } from './ports.js'
import type { Group } from './watch-plan.js'

export type OneTimeKeySupport = 'served' | 'per-connection' | 'unknown'

export interface OneTimeKeySupportParts {
  readonly url: string
  readonly log: RelayLog
  readonly mainPubkey: string
  readonly isMainWatched: () => boolean
  /** From now on only connections of their own serve one-time keys. */
  readonly onPerConnection: () => void
}

export interface OneTimeKeysVerdict {
  state(): OneTimeKeySupport
  /** A new main connection. */
  connected(): void
  challenged(): void
  /** A subscription was answered. */
  served(group: Group): void
  /** WrapIntake to this key came over the main connection. */
  arrived(to: string): void
  /** The relay wants another key for this subscription than the one that we are authenticated with. */
  restricted(group: Group): void
  /** A letter to a key of our own came back over the main connection, or did not. */
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
      // A relay that never asks who reads cannot make a difference between readers.
      else if (!isChallenged) decide('served')
    },
    arrived(to) {
      if (to !== mainPubkey) decide('served')
    },
    restricted(group) {
      // Where not even the main key is served, more connections would not help.
      if (isMain(group) || (!isMainServed && isMainWatched())) return
      if (state === 'served') state = 'unknown'
      decide('per-connection')
    },
    probed: (cameBack) => decide(cameBack ? 'served' : 'per-connection'),
  }
}
