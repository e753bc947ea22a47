// The running till: whether it answers on this machine, and what it says of its parts and its alarms.
import { type HttpResponse, httpTransport } from '../../client/index.js'
import { messageOf } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { foreignText, plainText } from '../../lib/plain-text.js'
import { webhookRemedy } from '../../lib/webhooks.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { createDaemonCheck, type ReadinessHelp, readinessOf, versionIn } from '../daemon-check.js'
import { type Finding, fail, pass, warn } from '../finding.js'

const HELP: ReadinessHelp = {
  daemon: 'pay',
  remedies: {
    database: 'check the disk and the owner of PAY_DB_PATH; docs/troubleshooting.md',
    node: 'name another node in PAY_NODE_URL; until then confirmations wait',
    webhooks: 'grinpay webhook list --failed',
    relays: 'grinpay doctor --check relay',
    nostr: 'grinpay doctor --check relay',
    tor: 'grinpay doctor --check tor',
  },
  // Every part of a till is about money: one that fails is no mere warning.
  whileReady: 'fail',
  allReady: (count) => `all ${count} parts are ready`,
  problemOf: ({ detail, since }) => `${plain(detail) || 'is not ready'} (since ${plain(since)})`,
}

export const tillCheck: DoctorCheck = createDaemonCheck({
  daemon: 'pay',
  name: 'till',
  portSetting: 'PAY_BIND',
  urlOf: ({ tillUrl }: TillDoctorContext) => tillUrl,
  healthPath: '/health',
  look: (url, context) => request(url, context).catch((thrown: unknown) => ({ why: messageOf(thrown) })),
  silence: (_url, why) => why,
  greeting(health) {
    const version = versionIn(health)
    return version === undefined ? undefined : `version ${version} answers`
  },
  async parts(url, context) {
    const ready = partLines(await request(`${url}/ready`, context), context)
    return context.config.adminToken ? [...ready, ...alarmsIn(await request(`${url}/admin/status`, context))] : ready
  },
})

const request = (url: string, { config: { adminToken } }: TillDoctorContext): Promise<HttpResponse> =>
  httpTransport(
    PATIENCE_MS,
    undefined,
    'the till',
  )({
    method: 'GET',
    url,
    headers: adminToken ? { authorization: `Bearer ${adminToken.reveal()}` } : {},
  })

/** Whether a till answers at its place on this machine: who asks it more need not tell again that none does. */
export async function tillRuns({ tillUrl }: Pick<TillDoctorContext, 'tillUrl'>): Promise<boolean> {
  const url = `${tillUrl}/health`
  const health = await httpTransport(PATIENCE_MS)({ method: 'GET', url }).catch(() => undefined)
  return health !== undefined && versionIn(health) !== undefined
}

function partLines(ready: HttpResponse, { config }: TillDoctorContext): readonly Finding[] {
  const lines = readinessOf(ready, HELP)
  const isBlind = !config.adminToken && lines.some(({ about }) => about !== undefined)
  return isBlind ? [...lines, warn('without PAY_ADMIN_TOKEN /ready gives no reasons', 'set PAY_ADMIN_TOKEN')] : lines
}

const ALARMS = 'docs/troubleshooting.md#alarms-of-the-till explains each; grinpay status shows whether it is over'

/** Open alarms of the till; at most as many as fit a screen. The check of secrets reports a token that the till refuses. */
function alarmsIn({ status, text }: HttpResponse): readonly Finding[] {
  const { alarms } = membersOf(parseJson(text))
  if (status !== 200 || !Array.isArray(alarms)) return []
  return alarms.slice(0, 20).map((alarm) => ({ ...warn(plain(alarm), ALARMS), about: 'alarm' }))
}

const plain = (value: unknown): string => (typeof value === 'string' ? plainText(value.slice(0, 300)) : '')

// The receivers of webhooks: the running till sends each a signed event for tests, and the answer decides.

/** Somewhat longer than the till waits for the shop. */
const TEST_EVENT_MS = 25_000

export const webhookCheck: DoctorCheck = {
  name: 'webhook',
  limitMs: 30_000,
  applies: ({ webhooks }) => webhooks.length > 0,
  async run({ config: { webhooks, adminToken }, tillUrl }) {
    if (!(await tillRuns({ tillUrl }))) return []
    if (!adminToken) return [warn('without PAY_ADMIN_TOKEN nothing can be sent for a test', 'grinpay secret new admin')]
    const headers = { authorization: `Bearer ${adminToken.reveal()}` }
    const findings = webhooks.map(async ({ receiver, url }) => {
      const answer = await httpTransport(TEST_EVENT_MS)({
        method: 'POST',
        url: `${tillUrl}/admin/webhooks/test?receiver=${receiver}`,
        headers,
      }).catch(() => undefined)
      // Other checks report a till that does not run, or that refuses the token.
      if (answer?.status !== 200) return []
      const { host } = new URL(url)
      return [verdictOn(membersOf(membersOf(parseJson(answer.text)).attempt), { host, receiver })]
    })
    return (await Promise.all(findings)).flat()
  },
}

function verdictOn(
  { http_status: status, error, duration_ms: ms }: ReturnType<typeof membersOf>,
  { host, receiver }: { readonly host: string; readonly receiver: number },
): Finding {
  if (error === null) return pass(`${host} took a signed event for tests in ${foreignText(ms)} ms`)
  const why = typeof error === 'string' ? plainText(error.slice(0, 200)) : 'no answer'
  if (typeof status !== 'number') return fail(`${host} does not answer: ${why}`, webhookRemedy(null, why, receiver))
  return fail(`${host} refuses a signed event for tests: ${why}`, webhookRemedy(status, why, receiver))
}
