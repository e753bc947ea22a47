// The public address: whether it leads to this very relay, whole, and tells it who is there.

import { membersOf, parseJson } from '../../lib/parse-json.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { type Answer, ask, type Silence } from './ask.js'
import { PROXY, type RelayCheck, type RelayContext, SETUP_ADDRESS } from './context.js'
import { localUrl } from './daemon-check.js'
import { documentFindings } from './document-rules.js'
import { shakeHands } from './handshake.js'

/** What to do when nothing was answered at all, by the word in the cause. */
const UNREACHABLE: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'give the host of info.relay_url an address in the DNS: this machine, or its proxy'],
  [/ECONNREFUSED/, 'start the proxy: nothing listens there; grinpay config proxy caddy --daemon relay prints one'],
  [/cert|self.signed|altname/i, 'give the proxy a certificate for this host that browsers accept: certbot, or caddy'],
]
const remedyFor = (why: string): string => UNREACHABLE.find(([cause]) => cause.test(why))?.[1] ?? PROXY

export const addressCheck: RelayCheck = {
  name: 'address',
  limitMs: 45_000,
  applies: () => true,
  async run(context) {
    const [first] = context.config.relay.info.relayUrls
    if (first === undefined)
      return [warn('info.relay_url is not set: nobody outside of this machine is expected', SETUP_ADDRESS)]
    const base = first.replace(/^ws/, 'http').replace(/\/+$/, '')
    const document = await ask({ url: base, signal: context.signal, headers: { accept: 'application/nostr+json' } })
    if ('why' in document) return [fail(`${first} cannot be reached: ${document.why}`, remedyFor(document.why))]
    const problems = documentProblems(document, first)
    if (problems.some(({ level }) => level === 'fail')) return problems
    return [...problems, ...(await throughProxy(context, base, first))]
  },
}

function documentProblems({ status, text, headers }: Answer, url: string): readonly Finding[] {
  if (status >= 300 && status < 400)
    return [fail(`${url} redirects, which no websocket follows`, 'name the last address in info.relay_url')]
  const found = status === 200 ? documentFindings(text) : undefined
  if (found === undefined)
    return [fail(`${url} answers ${status} without a relay document (NIP-11): the proxy leads elsewhere`, PROXY)]
  const closed = headers['access-control-allow-origin'] !== '*'
  const cors = warn(`${url} lacks Access-Control-Allow-Origin: *, so web clients cannot read its document`, PROXY)
  const all = closed ? [...found, cors] : found
  return all.length > 0 ? all : [pass(`${url} has a document that wallets accept`)]
}

async function throughProxy(context: RelayContext, base: string, url: string): Promise<readonly Finding[]> {
  const look = (from: string, headers = {}) => ask({ url: `${from}/health/client`, signal: context.signal, headers })
  const [outside, inside, claimed] = await Promise.all([look(base), look(localUrl(context)), look(base, CLAIM)])
  const same = sameFinding(outside, inside, url)
  if (same?.level === 'fail') return [same]
  const clients = isDirect(base, context) ? [] : [clientFinding(outside, claimed)]
  return [
    ...(same ? [same] : []),
    ...(await shakeHands(context, url)),
    ...clients,
    ...(await bodyFinding(context, base)),
  ]
}

const processOf = (answer: Answer | Silence): unknown =>
  'why' in answer ? undefined : membersOf(parseJson(answer.text)).process
const addressIn = (answer: Answer | Silence): string => {
  const { address } = membersOf(parseJson('why' in answer ? '' : answer.text))
  return typeof address === 'string' ? address : ''
}

/** Undefined: the relay does not run, which is told elsewhere. */
function sameFinding(outside: Answer | Silence, inside: Answer | Silence, url: string): Finding | undefined {
  if ('why' in inside) return undefined
  if (processOf(inside) === undefined || processOf(outside) !== processOf(inside))
    return fail(`another relay answers at ${url} than the one on this machine`, PROXY)
  return pass(`${url} leads to this relay`)
}

/** An address for documentation: nobody has it. */
const NOBODYS = '192.0.2.66'
const CLAIM = { 'x-real-ip': NOBODYS, 'x-forwarded-for': NOBODYS }

/** Nothing in between: then we are the one that is believed. */
function isDirect(base: string, { config: { bind } }: RelayContext): boolean {
  const { hostname, port, protocol } = new URL(base)
  return protocol === 'http:' && Number(port || 80) === bind.port && isPrivateHost(hostname)
}

function clientFinding(outside: Answer | Silence, claimed: Answer | Silence): Finding {
  const [seen, own] = [addressIn(outside), 'why' in outside ? '' : outside.from]
  if (addressIn(claimed) === NOBODYS)
    return fail('the proxy passes on whatever address a client claims, so bans and limits do not hold', PROXY)
  if (seen === own) return pass(`the relay sees who connects (${seen})`)
  const all = `the relay sees every client as ${seen}`
  const remedy = `the proxy must set X-Real-IP, and network.trusted_proxies name the proxy: ${PROXY}`
  if (/^(?:127\.|::1$)/.test(seen)) return fail(`${all}: the proxy does not pass their addresses on`, remedy)
  return isPrivateHost(seen) ? warn(`${all}, perhaps: we are ${own}`, remedy) : pass(`the relay sees us as ${seen}`)
}

/** Requests of managers; the relay refuses this one after it has read it. */
const BODY = ' '.repeat(60_000)
const TOO_LARGE = 413

async function bodyFinding({ config, signal }: RelayContext, base: string): Promise<readonly Finding[]> {
  if (config.admins.length === 0) return []
  const headers = { 'content-type': 'application/nostr+json+rpc' }
  const answer = await ask({ url: `${base}/`, signal, method: 'POST', headers, body: BODY })
  const isRefused = 'why' in answer || answer.status === TOO_LARGE
  return isRefused
    ? [fail('the proxy refuses requests of managers of 60 KB', 'client_max_body_size 64k in nginx; see above')]
    : []
}
