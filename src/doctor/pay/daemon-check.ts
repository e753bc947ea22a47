// The running till: whether it answers on this machine, and what it says of its parts and its alarms.
import { type HttpResponse, httpTransport } from '../../client/index.js'
import { messageOf } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { plainText } from '../../lib/plain-text.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { createDaemonCheck, type ReadinessHelp, readinessOf, versionIn } from '../daemon-check.js'
import { type Finding, warn } from '../finding.js'

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
