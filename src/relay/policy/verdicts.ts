// What the name authority says about keys, asked as rarely as it may be (specification: relay, 6: "Consulting the authority").
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../ports.js'

export type Verdict = boolean | 'unavailable'

export interface VerdictParts {
  /** Rejects, or answers anything but a boolean, when it cannot tell. */
  readonly ask: (key: string, signal: AbortSignal) => Promise<unknown>
  readonly clock: Clock
  readonly log: Log
  /** How long a verdict counts. */
  readonly holdSeconds: number
  /** For the log: whose verdict. */
  readonly about: string
}

const TIMEOUT_MS = 3000
const FAILURE_SECONDS = 10
const MOST_KEYS = 10_000
/** Requests under way; a silent authority must not cost a socket for every key of a flood. */
const MOST_ASKED = 256

interface Known {
  readonly verdict: Verdict
  readonly at: number
}

/** A key is asked about once at a time, and each verdict is used for a while. Never rejects; unknown is `unavailable`. */
export function createVerdicts(parts: VerdictParts): (key: string) => Promise<Verdict> {
  const { clock, holdSeconds } = parts
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<Verdict>>()
  const tell = createOutageLog(parts)

  function remembered(key: string): Verdict | undefined {
    const found = known.get(key)
    if (!found) return undefined
    const age = clock.now() - found.at
    if (age >= 0 && age < lifeOf(found.verdict, holdSeconds)) return found.verdict
    known.delete(key)
    return undefined
  }

  function remember(key: string, verdict: Verdict): void {
    known.delete(key)
    known.set(key, { verdict, at: clock.now() })
    const [oldest] = known.keys()
    if (known.size > MOST_KEYS && oldest !== undefined) known.delete(oldest)
  }

  async function find(key: string): Promise<Verdict> {
    const { verdict, cause } = await askOnce(parts, key)
    tell(cause)
    remember(key, verdict)
    asked.delete(key)
    return verdict
  }

  return async (key) => {
    const verdict = remembered(key)
    if (verdict !== undefined) return verdict
    const running = asked.get(key)
    if (running) return running
    if (asked.size >= MOST_ASKED) return 'unavailable'
    const mine = find(key)
    asked.set(key, mine)
    return mine
  }
}

const lifeOf = (verdict: Verdict, holdSeconds: number): number =>
  1000 * (verdict === 'unavailable' ? Math.min(FAILURE_SECONDS, holdSeconds) : holdSeconds)

interface Asked {
  readonly verdict: Verdict
  /** Why there is none. */
  readonly cause?: string
}

const LATE = Symbol('late')

async function askOnce({ ask, clock }: VerdictParts, key: string): Promise<Asked> {
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
function createOutageLog({ log, about }: VerdictParts): (cause: string | undefined) => void {
  let isOut = false
  return (cause) => {
    if (isOut === (cause !== undefined)) return
    isOut = cause !== undefined
    if (isOut) log.warn({ about, cause }, 'the name authority does not answer: writes that depend on it are refused')
    else log.info({ about }, 'the name authority answers again')
  }
}
