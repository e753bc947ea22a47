// This machine's clock against the Date headers of the relays and nodes. Relays refuse events and authentication of another time.
import type { PayConfig } from '../config/index.js'
import { fetchBounded } from '../lib/http-request.js'
import type { Check, Context } from './check.js'
import { type Finding, fail, pass, warn } from './finding.js'

const PATIENCE_MS = 8000
/** Authentication is refused by some relays from here on (seconds). */
const FAIL_FROM = 60
const WARN_FROM = 10
const REMEDY = 'timedatectl set-ntp true'

export const clockCheck: Check = {
  name: 'clock',
  limitMs: 15_000,
  applies: () => true,
  async run(context) {
    return [verdictOn(await skewsAgainst(hostsOf(context.config), context))]
  },
}

type Asking = Pick<Context, 'clock' | 'signal'>

/** Of those servers that show the time. */
export async function skewsAgainst(urls: readonly string[], asking: Asking): Promise<readonly number[]> {
  const skews = await Promise.all(urls.map((url) => skewAgainst(url, asking)))
  return skews.flatMap((skew) => (skew === undefined ? [] : [skew]))
}

const hostsOf = ({ relays, nodeUrls }: PayConfig): readonly string[] => [
  ...new Set([...relays.map((url) => url.replace(/^ws/, 'http')), ...nodeUrls].map((url) => new URL(url).origin)),
]

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
    return undefined // that it cannot be reached is told by the check that needs it
  }
}

/** The middle one counts: a single server may be wrong. */
export function verdictOn(skews: readonly number[], harm = 'relays refuse what it sends'): Finding {
  const median = [...skews].sort((a, b) => a - b)[Math.floor(skews.length / 2)]
  if (median === undefined) return warn('no relay or node that was asked shows the time', REMEDY)
  const seconds = Math.abs(median)
  const text = `${Math.round(seconds)} s ${median > 0 ? 'ahead' : 'behind'}, by ${skews.length} servers`
  if (seconds >= FAIL_FROM) return fail(`this machine is ${text}: ${harm}`, REMEDY)
  return seconds >= WARN_FROM
    ? warn(`this machine is ${text}`, REMEDY)
    : pass(`right to ${Math.ceil(seconds)} s, by ${skews.length} servers`)
}
