// The public address: whether names resolve through it as Nostr clients ask, and whether it is this authority that answers.
import { existsSync } from 'node:fs'
import type { NameauthConfig } from '../../config/index.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { localHostPort } from '../../lib/url.js'
import { openNameReader, openSharedNames } from '../../storage/index.js'
import { systemClock, systemRandom } from '../../system/index.js'
import { ask, type ProbeAnswer, type Silence } from '../ask.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { bodyFindings, certificateFindings, proxyFindings } from '../public-address.js'
import type { NameCheck, NameContext } from './checks.js'

const PRINTED = 'grinpay proxy print --kind nginx --daemon nameauth (or caddy) prints a proxy that does'
const PROXY = `let the proxy pass /.well-known/nostr.json and /api/ of this host to NAMEAUTH_NAMES_BIND: ${PRINTED}`
/** What to do when nothing was answered at all, by the word in the cause; a proxy that answers is asked of otherwise. */
const UNREACHABLE: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN/, 'give the domain an address in the DNS: this machine, or its proxy'],
  [/ECONNREFUSED/, 'start the web server in front: nothing listens on the port of https there'],
  [/cert|self.signed/i, 'give the web server a certificate for this domain that browsers accept'],
]
const remedyFor = (why: string): string => UNREACHABLE.find(([cause]) => cause.test(why))?.[1] ?? PROXY

export const nameauthAddressCheck: NameCheck = {
  name: 'address',
  limitMs: 30_000,
  async run(context) {
    const { config, signal } = context
    const known = await anyName(config)
    const url = documentUrl(config, known?.name ?? '_')
    const [document, health] = await Promise.all([
      ask({ url, signal }),
      ask({ url: `${config.baseUrl}/api/v1/health`, signal }),
    ])
    const seen = [documentFinding(document, url, known), healthFinding(health, config.baseUrl)]
    const certificates = await endingCertificates([url, config.baseUrl], context)
    return [...certificates, ...seen, ...(seen[1]?.level === 'pass' ? await throughProxy(context) : [])]
  },
}

/** Of the hosts of both addresses, which are often one. */
async function endingCertificates(
  urls: readonly string[],
  { clock, signal }: NameContext,
): Promise<readonly Finding[]> {
  const origins = [...new Set(urls.map((url) => new URL(url).origin))].filter((origin) => origin.startsWith('https:'))
  const findings = origins.map(async (origin) => {
    const answer = await ask({ url: origin, signal })
    return 'why' in answer ? [] : certificateFindings(origin, answer, clock.now())
  })
  return (await Promise.all(findings)).flat()
}

/** Whether requests reach this very authority, with the address of who sends them, and whole. */
async function throughProxy({ config, signal }: NameContext): Promise<readonly Finding[]> {
  const { host, port } = config.bind
  const { same, clients } = await proxyFindings({
    who: 'name authority',
    outside: `${config.baseUrl}/api/v1/health/client`,
    inside: `http://${localHostPort(host, port)}/api/v1/health/client`,
    port,
    proxy: PRINTED,
    trust: 'the proxy must set X-Real-IP, and NAMEAUTH_TRUSTED_PROXIES name the proxy',
    signal,
  })
  if (same?.level !== 'pass') return same ? [same] : []
  return [...clients, ...(await longRequests(config, signal))]
}

/** Somewhat less than the authority takes. */
const longRequests = ({ baseUrl }: NameauthConfig, signal: AbortSignal): Promise<readonly Finding[]> =>
  bodyFindings({
    url: `${baseUrl}/api/v1/health/client`,
    type: 'application/json',
    bytes: 12_000,
    what: 'requests of 12 KB',
    remedy: `client_max_body_size 16k in nginx: ${PRINTED}`,
    signal,
  })

/** Clients ask the host behind the @, whatever path the rest of the authority lies under. */
const documentUrl = ({ baseUrl, domain }: NameauthConfig, name: string): string =>
  `${baseUrl.startsWith('https:') ? `https://${domain}` : baseUrl}/.well-known/nostr.json?name=${name}`

interface Known {
  readonly name: string
  readonly pubkey: string
}

/** A name of ours, which tells our answers from those of another authority. */
async function anyName({ dbPath, database }: NameauthConfig): Promise<Known | undefined> {
  if (!database && !existsSync(dbPath)) return undefined
  const parts = { clock: systemClock, random: systemRandom, mustExist: true }
  const opening = database ? openSharedNames({ place: database, ...parts }) : openNameReader({ path: dbPath })
  const store = await opening.catch(() => undefined)
  if (!store) return undefined // the check of the database reports it
  try {
    const { items } = await store.listNames({ status: 'active' }, 1)
    return items[0]
  } finally {
    await store.close()
  }
}

function documentFinding(found: ProbeAnswer | Silence, url: string, known: Known | undefined): Finding {
  if ('why' in found) return fail(`${url} cannot be reached: ${found.why}`, remedyFor(found.why))
  if (found.status >= 300 && found.status < 400)
    return fail(`${url} redirects, which NIP-05 forbids`, 'answer this path on the very host of NAMEAUTH_DOMAIN')
  const { names } = membersOf(parseJson(found.text))
  if (found.status !== 200 || typeof names !== 'object' || names === null)
    return fail(`${url} answers ${found.status}, but not as a name authority does`, PROXY)
  if (known && membersOf(names)[known.name] !== known.pubkey)
    return fail(`${url} does not know a name of ours: another authority answers there`, PROXY)
  if (found.headers['access-control-allow-origin'] !== '*')
    return warn(
      `${url} lacks Access-Control-Allow-Origin: *, so web clients cannot read it`,
      `let the proxy keep the headers of the authority: ${PRINTED}`,
    )
  return pass(known ? `${url} answers with our names` : `${url} answers; whether it is ours shows with the first name`)
}

function healthFinding(found: ProbeAnswer | Silence, baseUrl: string): Finding {
  if (!('why' in found) && found.text === 'ok') return pass(`${baseUrl}/api/ is passed on`)
  const what =
    'why' in found ? `cannot be reached: ${found.why}` : `answers ${found.status}, but not as a name authority does`
  return fail(`${baseUrl}/api/v1/health ${what}`, 'why' in found ? remedyFor(found.why) : PROXY)
}
