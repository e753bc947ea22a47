// Caches the name authority's verdicts on keys (specification: relay, 6: "Consulting the authority").
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'

export type AuthorityVerdict = boolean | 'unavailable'

export interface AuthorityCacheParts {
  /** Rejects, or resolves with a non-boolean, when the authority cannot answer. */
  readonly ask: (key: string, signal: AbortSignal) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  /** Lifetime of a verdict. */
  readonly holdSeconds: number
  /** Lifetime of a `false`, if shorter: a key may get a name or pay meanwhile. */
  readonly denialSeconds?: number
  /** The subject of the verdict, for the log. */
  readonly about: string
}

const TIMEOUT_MS = 3000
const FAILURE_SECONDS = 10
const MOST_KEYS = 10_000
/** Requests in flight. A silent authority must not cost a socket for every key of a flood. */
const MOST_ASKED = 256

interface Known {
  readonly verdict: AuthorityVerdict
  readonly at: number
}

export interface AuthorityCache {
  /** Asks at most one question per key at a time, and caches each verdict. Never rejects; unknown is `unavailable`. */
  of(key: string): Promise<AuthorityVerdict>
  /** Drops the cached verdict of the key, and the answer of a question in flight: both are older than the news. */
  forget(key: string): void
}

export function createAuthorityCache(parts: AuthorityCacheParts): AuthorityCache {
  const { clock } = parts
  const known = new Map<string, Known>()
  const pending = new Map<string, Promise<AuthorityVerdict>>()
  const logOutage = createOutageLog(parts)

  function cached(key: string): AuthorityVerdict | undefined {
    const found = known.get(key)
    if (!found) return undefined
    const age = clock.now() - found.at
    if (age >= 0 && age < lifeOf(found.verdict, parts)) return found.verdict
    known.delete(key)
    return undefined
  }

  function remember(key: string, verdict: AuthorityVerdict): void {
    known.delete(key)
    known.set(key, { verdict, at: clock.now() })
    const [oldest] = known.keys()
    if (known.size > MOST_KEYS && oldest !== undefined) known.delete(oldest)
  }

  function find(key: string): Promise<AuthorityVerdict> {
    const mine = askOnce(parts, key).then(({ verdict, cause }) => {
      logOutage(cause)
      if (pending.get(key) !== mine) return verdict // forgotten meanwhile
      pending.delete(key)
      remember(key, verdict)
      return verdict
    })
    pending.set(key, mine)
    return mine
  }

  return {
    async of(key) {
      const verdict = cached(key)
      if (verdict !== undefined) return verdict
      const running = pending.get(key)
      if (running) return running
      return pending.size >= MOST_ASKED ? 'unavailable' : find(key)
    },
    forget(key) {
      known.delete(key)
      pending.delete(key)
    },
  }
}

/** In milliseconds. */
function lifeOf(verdict: AuthorityVerdict, { holdSeconds, denialSeconds = holdSeconds }: AuthorityCacheParts): number {
  if (verdict === 'unavailable') return 1000 * Math.min(FAILURE_SECONDS, holdSeconds)
  return 1000 * (verdict ? holdSeconds : Math.min(denialSeconds, holdSeconds))
}

interface Asked {
  readonly verdict: AuthorityVerdict
  /** The reason for a missing verdict. */
  readonly cause?: string
}

const LATE = Symbol('late')

async function askOnce({ ask, clock }: AuthorityCacheParts, key: string): Promise<Asked> {
  const over = new AbortController()
  try {
    const late = clock.sleep(TIMEOUT_MS, over.signal).then(() => LATE)
    const answer = await Promise.race([ask(key, over.signal), late])
    if (answer === LATE) return { verdict: 'unavailable', cause: `no answer within ${TIMEOUT_MS} ms` }
    return typeof answer === 'boolean' ? { verdict: answer } : { verdict: 'unavailable', cause: 'odd answer' }
  } catch (error) {
    return { verdict: 'unavailable', cause: messageOf(error) }
  } finally {
    over.abort()
  }
}

/** Logs one line when the authority fails and one when it recovers, however many keys are asked about. */
function createOutageLog({ log, about }: AuthorityCacheParts): (cause: string | undefined) => void {
  let isOut = false
  return (cause) => {
    if (isOut === (cause !== undefined)) return
    isOut = cause !== undefined
    if (isOut) log.warn({ about, cause }, 'the name authority does not answer: writes that depend on it are refused')
    else log.info({ about }, 'the name authority answers again')
  }
}
