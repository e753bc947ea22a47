// What the name authority says about keys, asked as rarely as it may be (specification: relay, 6: "Consulting the authority").
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../ports.js'

export type AuthorityVerdict = boolean | 'unavailable'

export interface AuthorityCacheParts {
  /** Rejects, or answers anything but a boolean, when it cannot tell. */
  readonly ask: (key: string, signal: AbortSignal) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  /** How long a verdict counts. */
  readonly holdSeconds: number
  /** How long a `false` counts, if less: what a key lacks it may get at any moment. */
  readonly denialSeconds?: number
  /** For the log: whose verdict. */
  readonly about: string
}

const TIMEOUT_MS = 3000
const FAILURE_SECONDS = 10
const MOST_KEYS = 10_000
/** Requests under way; a silent authority must not cost a socket for every key of a flood. */
const MOST_ASKED = 256

interface Known {
  readonly verdict: AuthorityVerdict
  readonly at: number
}

export interface AuthorityCache {
  /** A key is asked about once at a time, and each verdict is used for a while. Never rejects; unknown is `unavailable`. */
  of(key: string): Promise<AuthorityVerdict>
  /** Drops what is known of the key, and the answer to a question that is under way: both are older than the news. */
  forget(key: string): void
}

export function createAuthorityCache(parts: AuthorityCacheParts): AuthorityCache {
  const { clock } = parts
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<AuthorityVerdict>>()
  const tell = createOutageLog(parts)

  function remembered(key: string): AuthorityVerdict | undefined {
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
      tell(cause)
      if (asked.get(key) !== mine) return verdict // forgotten meanwhile
      asked.delete(key)
      remember(key, verdict)
      return verdict
    })
    asked.set(key, mine)
    return mine
  }

  return {
    async of(key) {
      const verdict = remembered(key)
      if (verdict !== undefined) return verdict
      const running = asked.get(key)
      if (running) return running
      return asked.size >= MOST_ASKED ? 'unavailable' : find(key)
    },
    forget(key) {
      known.delete(key)
      asked.delete(key)
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
  /** Why there is none. */
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

/** One line when it begins to fail and one when it answers again, however many keys are asked about. */
function createOutageLog({ log, about }: AuthorityCacheParts): (cause: string | undefined) => void {
  let isOut = false
  return (cause) => {
    if (isOut === (cause !== undefined)) return
    isOut = cause !== undefined
    if (isOut) log.warn({ about, cause }, 'the name authority does not answer: writes that depend on it are refused')
    else log.info({ about }, 'the name authority answers again')
  }
}
