// The public address: whether it leads to this very relay, whole, and tells it who is there.
import { ask, type ProbeAnswer } from '../ask.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { bodyFindings, certificateFindings, proxyFindings, unreachableRemedies } from '../public-address.js'
import { PROXY, type RelayCheck, type RelayDoctorContext, SETUP_ADDRESS } from './context.js'
import { localUrl } from './daemon-check.js'
import { documentFindings } from './document-rules.js'
import { shakeHands } from './handshake.js'

const remedyFor = unreachableRemedies('info.relay_url', 'grinpay proxy print --kind caddy --daemon relay')

export const relayAddressCheck: RelayCheck = {
  name: 'address',
  limitMs: 45_000,
  async run(context) {
    const [first] = context.config.relay.info.relayUrls
    if (first === undefined) return [warn('info.relay_url is not set: only this machine can connect', SETUP_ADDRESS)]
    const base = first.replace(/^ws/, 'http').replace(/\/+$/, '')
    const document = await ask({ url: base, signal: context.signal, headers: { accept: 'application/nostr+json' } })
    if ('why' in document) return [fail(`${first} cannot be reached: ${document.why}`, remedyFor(document.why))]
    if (await isOnlyAway(document, context)) return [] // the check of the daemon reports it
    const certificate = certificateFindings(base, document, context.clock.now())
    const problems = documentProblems(document, first)
    if (problems.some(({ level }) => level === 'fail')) return [...certificate, ...problems]
    return [...certificate, ...problems, ...(await throughProxy(context, base, first))]
  },
}

/** Status codes of a proxy that reaches no relay behind it. */
const AWAY = [502, 503, 504]

async function isOnlyAway({ status }: ProbeAnswer, context: RelayDoctorContext): Promise<boolean> {
  return AWAY.includes(status) && 'why' in (await ask({ url: `${localUrl(context)}/health`, signal: context.signal }))
}

function documentProblems({ status, text, headers }: ProbeAnswer, url: string): readonly Finding[] {
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

async function throughProxy(context: RelayDoctorContext, base: string, url: string): Promise<readonly Finding[]> {
  const { same, clients } = await proxyFindings({
    who: 'relay',
    outside: `${base}/health/client`,
    inside: `${localUrl(context)}/health/client`,
    port: context.config.bind.port,
    proxy: PROXY,
    trust: 'the proxy must set X-Real-IP, and network.trusted_proxies name the proxy',
    signal: context.signal,
  })
  if (same?.level === 'fail') return [same]
  return [
    ...(same ? [same] : []),
    ...(await shakeHands(context, url)),
    ...clients,
    ...(context.config.admins.length > 0 ? await longRequests(context, base) : []),
  ]
}

/** Requests of managers. */
const longRequests = ({ signal }: RelayDoctorContext, base: string): Promise<readonly Finding[]> =>
  bodyFindings({
    url: `${base}/`,
    type: 'application/nostr+json+rpc',
    bytes: 60_000,
    what: 'requests of managers of 60 KB',
    remedy: 'client_max_body_size 64k in nginx; see above',
    signal,
  })
