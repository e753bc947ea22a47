// NIP-42 on one connection: answers a bounded number of challenges.

import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { createMinuteLimit } from '../../lib/rate-limiter.js'
import type { Secret } from '../../lib/secret.js'
import { AUTH_KIND, type NostrEvent, signEvent } from '../event/index.js'

const CHALLENGES_PER_MINUTE = 10
/** Some relays never send OK for an AUTH: after this time it counts as accepted. */
const ANSWER_MS = 5000

export type AuthState = 'none' | 'challenged' | 'answering' | 'done' | 'refused'

export interface AuthParts {
  readonly clock: Clock
  /** The signed AUTH event, or undefined without a key. Absent: challenges are ignored. */
  readonly sign: ((challenge: string) => NostrEvent | undefined) | undefined
  /** True: answers every challenge. False: answers only after an `auth-required:` refusal. */
  readonly eager: boolean
  readonly send: (frame: string) => void
  readonly flood: () => void
  /** Runs after each change to `done` or `refused`; `text` is the relay's reason. */
  readonly settled: (state: 'done' | 'refused', text: string) => void
}

export interface Auth {
  state(): AuthState
  challenged(challenge: string): void
  /** Handles an OK; true if it belongs to the AUTH event. */
  answered(id: string, accepted: boolean, text: string): boolean
  /** Requests authentication after an `auth-required:` refusal. False if authentication can no longer help. */
  demand(): boolean
  tick(): void
}

export function createAuth({ clock, sign, eager, send, flood, settled }: AuthParts): Auth {
  let state: AuthState = 'none'
  let challenge = ''
  let wanted = eager
  let pending = { id: '', at: 0 }
  const isTooMany = createMinuteLimit(CHALLENGES_PER_MINUTE, clock)

  function settle(next: 'done' | 'refused', text = ''): void {
    state = next
    settled(next, text)
  }

  function answer(): void {
    const event = sign?.(challenge)
    if (event) {
      state = 'answering'
      pending = { id: event.id, at: clock.monotonic() }
      send(JSON.stringify(['AUTH', event]))
    } else settle('refused')
  }

  return {
    state: () => state,
    challenged(text) {
      if (isTooMany()) return flood()
      if (!sign) return
      // A challenge that is repeated with a refusal already has an answer.
      if (text === challenge && state !== 'challenged') return
      challenge = text
      state = 'challenged'
      if (wanted) answer()
    },
    answered(id, accepted, text) {
      if (state !== 'answering' || id !== pending.id) return false
      settle(accepted ? 'done' : 'refused', text)
      return true
    },
    demand() {
      if (!sign || state === 'done' || state === 'refused') return false
      wanted = true
      if (state === 'challenged') answer()
      return true
    },
    tick() {
      if (state === 'answering' && clock.monotonic() - pending.at > ANSWER_MS) settle('done')
    },
  }
}

// Builds the AUTH event of a client (NIP-42).

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
