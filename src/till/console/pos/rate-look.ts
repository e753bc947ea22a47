// Rates as a page shows them: never waited for, asked for in the background. What a sale costs is decided when it is made, by the till.
import type { Clock } from '../../../lib/ports.js'
import type { Rates } from '../../outside-ports.js'

export interface RateLookParts {
  readonly rates: Pick<Rates, 'rate'>
  readonly clock: Pick<Clock, 'monotonic' | 'sleep'>
}

/** How long the first page waits for a source, and how often one is asked for pages. */
const PATIENCE_MS = 20
const AGAIN_MS = 15_000

interface Look {
  askedAt: number
  /** Null: the last answer was that there is none. */
  last: string | null | undefined
  answer: Promise<void>
}

/** The rate of a currency as last heard of (fiat per GRIN, decimal text); null: there was none; undefined: the first answer is not there yet. */
export function createRateLook({ rates, clock }: RateLookParts) {
  const looks = new Map<string, Look>()

  function ask(code: string, last: Look['last']): Look {
    const look: Look = { askedAt: clock.monotonic(), last, answer: Promise.resolve() }
    look.answer = rates.rate(code).then(
      ({ rate }) => {
        look.last = rate
      },
      () => {
        look.last = null
      },
    )
    looks.set(code, look)
    return look
  }

  return async function rateOf(code: string): Promise<string | null | undefined> {
    const known = looks.get(code)
    const look = known && clock.monotonic() - known.askedAt < AGAIN_MS ? known : ask(code, known?.last)
    const patience = new AbortController()
    await Promise.race([look.answer, clock.sleep(PATIENCE_MS, patience.signal)])
    patience.abort()
    return look.last
  }
}
