// What a proxy does to requests, whichever daemon stands behind it: whether it leads to this very one, and says who is there.
import { membersOf, parseJson } from '../lib/parse-json.js'
import { isPrivateHost } from '../lib/private-host.js'
import { ask, type ProbeAnswer, type Silence } from './ask.js'
import { type Finding, fail, pass, warn } from './finding.js'

interface ProxyQuestion {
  /** The daemon in words, e.g. "till". */
  readonly who: string
  /** The public address, and the same on this machine, both with the path that tells who asks. */
  readonly outside: string
  readonly inside: string
  /** Where the daemon listens. */
  readonly port: number
  /** A command that prints a proxy which does everything right. */
  readonly proxy: string
  /** What makes the daemon believe the proxy. */
  readonly trust: string
  readonly signal: AbortSignal
}

/** An address for documentation (RFC 5737): no host has it. */
const UNUSED_ADDRESS = '192.0.2.66'
const CLAIM = { 'x-real-ip': UNUSED_ADDRESS, 'x-forwarded-for': UNUSED_ADDRESS }

interface ProxyFindings {
  /** Undefined: the daemon does not run, which another check reports. */
  readonly same: Finding | undefined
  /** None when nothing stands in between. */
  readonly clients: readonly Finding[]
}

export async function proxyFindings(question: ProxyQuestion): Promise<ProxyFindings> {
  const { outside: url, inside: own, signal } = question
  const [outside, inside, claimed] = await Promise.all([
    ask({ url, signal }),
    ask({ url: own, signal }),
    ask({ url, signal, headers: CLAIM }),
  ])
  const same = sameFinding(outside, inside, question)
  if (same?.level !== 'pass' || isDirect(question)) return { same, clients: [] }
  return { same, clients: [clientFinding(outside, claimed, question)] }
}

const processOf = (answer: ProbeAnswer | Silence): unknown =>
  'why' in answer ? undefined : membersOf(parseJson(answer.text)).process
const addressIn = (answer: ProbeAnswer | Silence): string => {
  const { address } = membersOf(parseJson('why' in answer ? '' : answer.text))
  return typeof address === 'string' ? address : ''
}

function sameFinding(
  outside: ProbeAnswer | Silence,
  inside: ProbeAnswer | Silence,
  { outside: url, who, proxy }: ProxyQuestion,
): Finding | undefined {
  const base = new URL(url).origin
  if ('why' in inside || processOf(inside) === undefined) return undefined
  if (processOf(outside) !== processOf(inside))
    return fail(`another ${who} answers at ${base} than the one on this machine`, proxy)
  return pass(`${base} leads to this ${who}`)
}

/** Nothing in between: then we are the one that is believed. */
function isDirect({ outside, port: own }: ProxyQuestion): boolean {
  const { hostname, port, protocol } = new URL(outside)
  return protocol === 'http:' && Number(port || 80) === own && isPrivateHost(hostname)
}

function clientFinding(
  outside: ProbeAnswer | Silence,
  claimed: ProbeAnswer | Silence,
  question: ProxyQuestion,
): Finding {
  const { who, proxy, trust } = question
  const [seen, own] = [addressIn(outside), 'why' in outside ? '' : outside.from]
  if (addressIn(claimed) === UNUSED_ADDRESS)
    return fail('the proxy passes on whatever address a client claims, so bans and limits do not hold', proxy)
  if (seen === own) return pass(`the ${who} sees who connects (${seen})`)
  const all = `the ${who} sees every client as ${seen}`
  const remedy = `${trust}: ${proxy}`
  if (/^(?:127\.|::1$)/.test(seen)) return fail(`${all}: the proxy does not pass their addresses on`, remedy)
  return isPrivateHost(seen) ? warn(`${all}, perhaps: we are ${own}`, remedy) : pass(`the ${who} sees us as ${seen}`)
}

interface BodyQuestion {
  readonly url: string
  readonly type: string
  /** As large as the daemon takes; it refuses what is in it only after it has read it. */
  readonly bytes: number
  /** What a proxy for short requests refuses, in words. */
  readonly what: string
  readonly remedy: string
  readonly signal: AbortSignal
}

const TOO_LARGE = 413

/** None when the proxy passes a request of this size. */
export async function bodyFindings(question: BodyQuestion): Promise<readonly Finding[]> {
  const { url, type, bytes, what, remedy, signal } = question
  const answer = await ask({ url, signal, method: 'POST', headers: { 'content-type': type }, body: ' '.repeat(bytes) })
  const isRefused = 'why' in answer || answer.status === TOO_LARGE
  return isRefused ? [fail(`the proxy refuses ${what}`, remedy)] : []
}

/** What to do when nothing was answered at all, by the word in the cause; a proxy that answers is asked of otherwise. */
export const unreachableRemedies =
  (host: string, proxy: string) =>
  (why: string): string =>
    CAUSES.find(([cause]) => cause.test(why))?.[1](host, proxy) ?? proxy

const CAUSES: readonly (readonly [RegExp, (host: string, proxy: string) => string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, (host) => `give the host of ${host} an address in the DNS: this machine, or its proxy`],
  [/ECONNREFUSED/, (_host, proxy) => `start the proxy: nothing listens there; ${proxy}`],
  [
    /cert|self.signed|altname/i,
    () => 'give the proxy a certificate for this host that browsers accept: certbot, or caddy',
  ],
]

// How long the certificate of one of our public addresses still lasts. One that has ended is reported as an address that cannot be reached.

const DAY_MS = 86_400_000
/** Programs renew a certificate a month before its end: at two weeks the renewal has failed for a while, at three days it is urgent. */
const WARN_DAYS = 14
const FAIL_DAYS = 3

/** None while it lasts for two weeks, and none for plain http. `now` in epoch milliseconds. */
export function certificateFindings(
  url: string,
  { certificateEnd }: Pick<ProbeAnswer, 'certificateEnd'>,
  now: number,
): readonly Finding[] {
  if (certificateEnd === undefined) return []
  const days = (certificateEnd - now) / DAY_MS
  if (days >= WARN_DAYS) return []
  const when = `${new Date(certificateEnd).toISOString().slice(0, 16)}Z`
  const judge = days < FAIL_DAYS ? fail : warn
  return [judge(`the certificate of ${new URL(url).host} ends ${leftText(days)}, at ${when}`, REMEDY)]
}

const REMEDY = 'renew it, and find out why that did not happen: certbot renew, or journalctl -u caddy'

function leftText(days: number): string {
  const whole = Math.floor(days)
  return whole < 1 ? 'within a day' : `in ${whole} ${whole === 1 ? 'day' : 'days'}`
}
