// This machine's clock against the Date headers of the relays and nodes. Relays refuse events and authentication of another time.
import { fetchBounded } from '../lib/http-request.js'
import { PATIENCE_MS } from './ask.js'
import type { CheckContext, DoctorCheck } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'

/** Authentication is refused by some relays from here on (seconds). */
const FAIL_FROM = 60
const WARN_FROM = 10
const REMEDY = 'timedatectl set-ntp true'

interface ClockCheckOptions<C extends CheckContext> {
  /** Addresses whose servers are asked. */
  readonly hostsOf: (config: C['config']) => readonly string[]
  /** What a wrong clock causes, where it is not that relays refuse events. */
  readonly harm?: string
  /** A finding where no server shows the time. */
  readonly otherwise?: () => Finding | undefined
}

export const createClockCheck = <C extends CheckContext>({
  hostsOf,
  harm,
  otherwise,
}: ClockCheckOptions<C>): DoctorCheck<C> => ({
  name: 'clock',
  limitMs: 15_000,
  async run(context) {
    const skews = await skewsAgainst(hostsOf(context.config), context)
    const finding = skews.length === 0 ? otherwise?.() : undefined
    return [finding ?? clockFinding(skews, harm)]
  },
})

type Asking = Pick<CheckContext, 'clock' | 'signal'>

/** Each server once; relays are asked over http. */
export const originsOf = (urls: readonly string[]): readonly string[] => [
  ...new Set(urls.map((url) => new URL(url.replace(/^ws/, 'http')).origin)),
]

/** In seconds, of those servers that show the time. */
async function skewsAgainst(urls: readonly string[], asking: Asking): Promise<readonly number[]> {
  const skews = await Promise.all(urls.map((url) => skewAgainst(url, asking)))
  return skews.flatMap((skew) => (skew === undefined ? [] : [skew]))
}

/** Seconds by which this machine is ahead; undefined when the server shows no time. */
async function skewAgainst(url: string, { clock, signal }: Asking): Promise<number | undefined> {
  try {
    const sentAt = clock.now()
    const answer = await fetchBounded(url, { method: 'HEAD' }, { timeoutMs: PATIENCE_MS, mostBytes: 0, signal })
    const middle = (sentAt + clock.now()) / 2
    const theirs = Date.parse(answer.headers.get('date') ?? '')
    // The header names the second that has begun: on average half of it has passed.
    return Number.isNaN(theirs) ? undefined : (middle - theirs - 500) / 1000
  } catch {
    return undefined // the check that needs the server reports that it cannot be reached
  }
}

/** The middle one counts: a single server may be wrong. */
export function clockFinding(skews: readonly number[], harm = 'relays refuse what it sends'): Finding {
  const median = [...skews].sort((a, b) => a - b)[Math.floor(skews.length / 2)]
  if (median === undefined) return warn('no relay or node that was asked shows the time', REMEDY)
  const seconds = Math.abs(median)
  const text = `${Math.round(seconds)} s ${median > 0 ? 'ahead' : 'behind'}, by ${skews.length} servers`
  if (seconds >= FAIL_FROM) return fail(`this machine is ${text}: ${harm}`, REMEDY)
  return seconds >= WARN_FROM
    ? warn(`this machine is ${text}`, REMEDY)
    : pass(`right to ${Math.ceil(seconds)} s, by ${skews.length} servers`)
}
