// NIP-42 on one connection: answers challenges, a bounded number of them.

import { createMinuteLimit } from '../../lib/rate-limiter.js'
import type { NostrEvent } from '../event/index.js'
import type { RelayClock } from './ports.js'

const CHALLENGES_PER_MINUTE = 10
/** Some relays never say OK to an AUTH: after this long it counts as taken. */
const ANSWER_MS = 5000

type AuthState = 'none' | 'challenged' | 'answering' | 'done' | 'refused'

export interface AuthParts {
  readonly clock: RelayClock
  /** The signed answer, or undefined when there is no key to answer with. */
  readonly sign: (challenge: string) => NostrEvent | undefined
  /** Answer every challenge; otherwise only when something was refused for want of it. */
  readonly eager: boolean
  readonly send: (frame: string) => void
  readonly flood: () => void
  /** After each change to `done` or `refused`. */
  readonly settled: (state: 'done' | 'refused') => void
}

export interface Auth {
  state(): AuthState
  challenged(challenge: string): void
  /** An OK for this event id; true when it was ours. */
  answered(id: string, accepted: boolean): boolean
  /** Something was refused with `auth-required:`. False when authentication cannot help any more. */
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
      // The same challenge again, sent along with a refusal, is answered already.
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
