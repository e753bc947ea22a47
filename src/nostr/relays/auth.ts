// NIP-42 on one connection: answers a bounded number of challenges.

import { createMinuteLimit } from '../../lib/rate-limiter.js'
import type { NostrEvent } from '../event/index.js'
import type { RelayClock } from './ports.js'

const CHALLENGES_PER_MINUTE = 10
/** Some relays never send OK for an AUTH: after this time it counts as accepted. */
const ANSWER_MS = 5000

type AuthState = 'none' | 'challenged' | 'answering' | 'done' | 'refused'

export interface AuthParts {
  readonly clock: RelayClock
  /** The signed AUTH event, or undefined without a key. */
  readonly sign: (challenge: string) => NostrEvent | undefined
  /** True: answers every challenge. False: answers only after an `auth-required:` refusal. */
  readonly eager: boolean
  readonly send: (frame: string) => void
  readonly flood: () => void
  /** Runs after each change to `done` or `refused`. */
  readonly settled: (state: 'done' | 'refused') => void
}

export interface Auth {
  state(): AuthState
  challenged(challenge: string): void
  /** Handles an OK; true if it belongs to the AUTH event. */
  answered(id: string, accepted: boolean): boolean
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

  function settle(next: 'done' | 'refused'): void {
    state = next
    settled(next)
  }

  function answer(): void {
    const event = sign(challenge)
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
      // A challenge that is repeated with a refusal already has an answer.
      if (text === challenge && state !== 'challenged') return
      challenge = text
      state = 'challenged'
      if (wanted) answer()
    },
    answered(id, accepted) {
      if (state !== 'answering' || id !== pending.id) return false
      settle(accepted ? 'done' : 'refused')
      return true
    },
    demand() {
      if (state === 'done' || state === 'refused') return false
      wanted = true
      if (state === 'challenged') answer()
      return true
    },
    tick() {
      if (state === 'answering' && clock.monotonic() - pending.at > ANSWER_MS) settle('done')
    },
  }
}
