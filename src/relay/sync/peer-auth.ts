// NIP-42 for `relay sync`: proves one key to one relay, after its challenge at the connection or after an `auth-required:` refusal.
import type { Secret } from '../../lib/secret.js'
import { authEvent } from '../../nostr/auth/index.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import type { Clock, Random } from '../ports.js'

/** A key, and the address that the AUTH event names. */
export interface PeerKey {
  readonly secret: Secret<Uint8Array>
  readonly relay: string
  readonly random: Random
}

export interface PeerAuthParts {
  /** Undefined: nothing is ever proved. */
  readonly key: PeerKey | undefined
  readonly clock: Clock
  /** Longest wait for a challenge after a refusal, in milliseconds. */
  readonly timeoutMs: number
  /** Sends an AUTH event; resolves with the text of a refusal, or '' when it was accepted. */
  readonly send: (event: NostrEvent) => Promise<string>
  /** Makes the error for a failed authentication. */
  readonly failure: (reason: string) => Error
}

export interface PeerAuth {
  /** Keeps the challenge of an AUTH message. */
  challenged(challenge: unknown): void
  /** Answers the challenge that many relays send at the connection; without one after a second it does nothing. */
  begin(): Promise<void>
  /**
   * Runs the request, and once more when its refusal asks for authentication and a key could be proved.
   * Rejects when the relay sends no challenge or refuses the key.
   */
  retrying<T>(request: () => Promise<T>, refusalOf: (answer: T) => string): Promise<T>
}

const MAX_CHALLENGE = 1024
/** Longest wait for a challenge at the connection, in milliseconds. */
const FIRST_CHALLENGE_MS = 1000
/** A relay that challenges anew each time is not answered for ever. */
const MOST_PROOFS = 5

export const requestsAuth = (refusal: string): boolean => refusal.startsWith('auth-required:')

export function createPeerAuth({ key, clock, timeoutMs, send, failure }: PeerAuthParts): PeerAuth {
  let challenge: string | undefined
  let onChallenge: (() => void) | undefined
  let proofs = 0
  let proving: Promise<void> | undefined

  /** Resolves at the first challenge, or at the time limit. */
  async function awaitChallenge(limitMs: number): Promise<void> {
    if (challenge !== undefined) return
    const waiting = new AbortController()
    onChallenge = () => waiting.abort()
    await clock.sleep(limitMs, waiting.signal)
    waiting.abort()
  }

  async function prove({ secret, relay, random }: PeerKey): Promise<void> {
    if (++proofs > MOST_PROOFS) throw failure(`it asks for authentication again after ${MOST_PROOFS} times`)
    await awaitChallenge(timeoutMs)
    if (challenge === undefined) throw failure('it requires authentication and sends no challenge')
    const refusal = await send(authEvent({ relay, challenge, secret, now: clock.now(), random }))
    if (refusal !== '') throw failure(`it refuses the key: ${refusal}`)
  }

  /** Requests that are refused at the same time share one proof. */
  function proveOnce(own: PeerKey): Promise<void> {
    proving ??= prove(own).finally(() => {
      proving = undefined
    })
    return proving
  }

  return {
    challenged(value) {
      if (typeof value !== 'string' || value.length > MAX_CHALLENGE) return
      challenge = value
      onChallenge?.()
    },
    async begin() {
      if (!key) return
      await awaitChallenge(Math.min(FIRST_CHALLENGE_MS, timeoutMs))
      if (challenge !== undefined) await proveOnce(key)
    },
    async retrying(request, refusalOf) {
      const before = proofs
      const answer = await request()
      if (!key || !requestsAuth(refusalOf(answer))) return answer
      // Another request may have proved the key since this one was sent.
      if (proving || proofs === before) await proveOnce(key)
      return request()
    },
  }
}
