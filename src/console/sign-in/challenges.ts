// Challenges of passkeys: each is answered once, within five minutes, for the purpose it was made for. They live in memory: a restart asks again.
import type { Clock } from '../../lib/ports.js'
import { newToken } from './tokens.js'

const GOOD_FOR_MS = 5 * 60_000
/** Beyond it the oldest are forgotten. */
const MOST = 1_000

export type Purpose = 'register' | 'sign-in'

interface Parts {
  readonly clock: Pick<Clock, 'monotonic'>
  readonly random: { bytes(length: number): Uint8Array }
}

export function createChallenges({ clock, random }: Parts) {
  const open = new Map<string, { readonly purpose: Purpose; readonly until: number }>()
  return {
    make(purpose: Purpose): string {
      const challenge = newToken(random)
      open.set(challenge, { purpose, until: clock.monotonic() + GOOD_FOR_MS })
      const [oldest] = open.size > MOST ? open.keys() : []
      if (oldest !== undefined) open.delete(oldest)
      return challenge
    },
    /** Whether it is one of ours, for this purpose and in time; it is used up by asking. */
    take(challenge: string, purpose: Purpose): boolean {
      const made = open.get(challenge)
      open.delete(challenge)
      return made !== undefined && made.purpose === purpose && clock.monotonic() < made.until
    },
  }
}

export type Challenges = ReturnType<typeof createChallenges>
