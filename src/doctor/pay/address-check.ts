// The public address of the till: whether it leads here, whole, and tells who is there. Nothing in front of it shows the admin API.
import { type Environment, findSetting } from '../../config/index.js'
import { isPrivateHost } from '../../lib/private-host.js'
import { ask } from '../ask.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { bodyFindings, certificateFindings, proxyFindings, unreachableRemedies } from '../public-address.js'

const PROXY = 'grinpay proxy print --kind nginx --daemon pay (or caddy) prints a proxy that does'
const remedyFor = unreachableRemedies('PAY_PUBLIC_URL', 'grinpay proxy print --kind nginx --daemon pay')

export const tillAddressCheck: DoctorCheck = {
  name: 'address',
  limitMs: 45_000,
  async run(context) {
    const { config, tillUrl, signal, environment } = context
    const base = config.publicUrl
    const { protocol, hostname } = new URL(base)
    if (base === tillUrl && isPrivateHost(hostname))
      return [
        warn(
          `PAY_PUBLIC_URL ${isStated(environment) ? `is ${base}` : 'is not set'}: customers elsewhere cannot open a checkout page`,
          'grinpay setup pay --reconfigure --public-url https://pay.example',
        ),
      ]
    const health = await ask({ url: `${base}/health`, signal })
    if ('why' in health) return [fail(`${base} cannot be reached: ${health.why}`, remedyFor(health.why))]
    if (health.status >= 300 && health.status < 400)
      return [fail(`${base} redirects: ${health.headers.location ?? ''}`, 'name the last address in PAY_PUBLIC_URL')]
    const plain = protocol === 'http:' && !isPrivateHost(hostname) ? [PLAIN] : []
    const certificate = certificateFindings(base, health, context.clock.now())
    return [...plain, ...certificate, ...(await throughProxy(context))]
  },
}

const isStated = (environment: Environment): boolean => findSetting(environment, 'PAY_PUBLIC_URL').outcome === 'found'

const PLAIN = warn(
  'PAY_PUBLIC_URL is plain http: others on the way see and change what customers see',
  'grinpay setup pay --reconfigure --public-url https://…',
)

async function throughProxy(context: TillDoctorContext): Promise<readonly Finding[]> {
  const { config, tillUrl, signal } = context
  const { same, clients } = await proxyFindings({
    who: 'till',
    outside: `${config.publicUrl}/health/client`,
    inside: `${tillUrl}/health/client`,
    port: config.bind.port,
    proxy: PROXY,
    trust: 'the proxy must set X-Forwarded-For, and PAY_TRUSTED_PROXIES name the proxy',
    signal,
  })
  // An address that leads elsewhere says nothing about our proxy. Another check reports a till that does not run.
  if (same?.level !== 'pass') return same ? [same] : []
  return [same, ...clients, ...(await longSlatepacks(context)), ...(await adminFindings(context, clients))]
}

const longSlatepacks = ({ config, signal }: TillDoctorContext): Promise<readonly Finding[]> =>
  bodyFindings({
    url: `${config.publicUrl}/health/client`,
    type: 'application/x-www-form-urlencoded',
    bytes: 60_000,
    what: 'slatepacks of 60 KB',
    remedy: `client_max_body_size 64k in nginx: ${PROXY}`,
    signal,
  })

const UNAUTHORISED = 401

async function adminFindings(
  { config, signal }: TillDoctorContext,
  clients: readonly Finding[],
): Promise<readonly Finding[]> {
  if (clients.length === 0) return [] // nothing stands in between
  const answer = await ask({ url: `${config.publicUrl}/admin/invoices`, signal })
  return 'why' in answer || answer.status !== UNAUTHORISED
    ? [pass('the admin API is not shown outside')]
    : [warn('the proxy passes the admin API on to everybody', PROXY)]
}
