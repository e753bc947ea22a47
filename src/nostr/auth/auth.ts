// Builds the AUTH event of a client (NIP-42).
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { AUTH_KIND, type NostrEvent, signEvent } from '../event/index.js'

export interface Challenge {
  /** The dialled address of the relay. */
  readonly relay: string
  readonly challenge: string
  readonly secret: Secret<Uint8Array>
  /** Epoch milliseconds. */
  readonly now: number
  readonly random: RandomBytes
}

/** The event to send in an AUTH message. */
export function authEvent({ relay, challenge, secret, now, random }: Challenge): NostrEvent {
  const tags = [
    ['relay', relay],
    ['challenge', challenge],
  ]
  return signEvent({ kind: AUTH_KIND, created_at: Math.floor(now / 1000), tags, content: '' }, secret, random)
}
