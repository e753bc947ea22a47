// The running till: whether it answers on this machine, and what it says of its parts.

import { type HttpResponse, httpTransport } from '../../client/index.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { plainText } from '../../lib/plain-text.js'
import { PATIENCE_MS } from '../ask.js'
import type { Check, Context } from '../check.js'
import { type Finding, fail, failed, pass, warn } from '../finding.js'

const START = 'systemctl start grinpay-pay, or grinpay serve pay; journalctl -u grinpay-pay says why it stopped'

export const tillCheck: Check = {
  name: 'till',
  limitMs: 20_000,
  applies: () => true,
  async run(context) {
    const { tillUrl } = context
    const ask = (path: string) =>
      httpTransport(
        PATIENCE_MS,
        undefined,
        'the till',
      )({
        method: 'GET',
        url: `${tillUrl}${path}`,
        headers: headersOf(context),
      })
    let health: HttpResponse
    try {
      health = await ask('/health')
    } catch (thrown) {
      return [{ ...failed(thrown, START), remedy: START }]
    }
    const version = membersOf(parseJson(health.text)).version
    if (health.status !== 200 || typeof version !== 'string')
      return [
        fail(
          `${tillUrl} answers ${health.status}, but not as a till does`,
          'ss -ltnp shows who has that port; set PAY_BIND to one of its own',
        ),
      ]
    return [
      pass(`version ${version} answers at ${tillUrl}`),
      ...readinessOf(await ask('/ready'), context),
      ...(context.config.adminToken ? alarmsIn(await ask('/admin/status')) : []),
    ]
  },
}

/** Whether a till answers at its place on this machine: who asks it more need not tell again that none does. */
export async function tillRuns({ tillUrl }: Pick<Context, 'tillUrl'>): Promise<boolean> {
  const url = `${tillUrl}/health`
  const health = await httpTransport(PATIENCE_MS)({ method: 'GET', url }).catch(() => undefined)
  return health?.status === 200 && typeof membersOf(parseJson(health.text)).version === 'string'
}

const headersOf = ({ config }: Context): Readonly<Record<string, string>> =>
  config.adminToken ? { authorization: `Bearer ${config.adminToken.reveal()}` } : {}

/** Where to look for each part that is not well. */
const REMEDIES: Readonly<Record<string, string>> = {
  database: 'check the disk and the owner of PAY_DB_PATH; docs/troubleshooting.md',
  node: 'name another node in PAY_NODE_URL; until then confirmations wait',
  webhooks: 'grinpay webhook list --failed',
  relays: 'grinpay doctor --check relay',
  nostr: 'grinpay doctor --check relay',
  tor: 'grinpay doctor --check tor',
}

function readinessOf({ status, text }: HttpResponse, { config }: Context): readonly Finding[] {
  const { checks } = membersOf(parseJson(text))
  if (!Array.isArray(checks)) return [fail(`/ready answers ${status} without checks`, START)]
  const parts = checks.map(membersOf)
  const broken = parts.filter((part) => part.status !== 'ok')
  if (broken.length === 0) return [pass(`all ${parts.length} parts are ready`)]
  const blind = config.adminToken
    ? []
    : [warn('without PAY_ADMIN_TOKEN /ready gives no reasons', 'set PAY_ADMIN_TOKEN')]
  return [...broken.map(findingOf), ...blind]
}

const ALARMS = 'docs/troubleshooting.md#alarms-of-the-till explains each; grinpay status shows whether it is over'

/** Open alarms of the till; at most as many as fit a screen. The check of secrets reports a token that the till refuses. */
function alarmsIn({ status, text }: HttpResponse): readonly Finding[] {
  const { alarms } = membersOf(parseJson(text))
  if (status !== 200 || !Array.isArray(alarms)) return []
  return alarms.slice(0, 20).map((alarm) => ({ ...warn(plain(alarm), ALARMS), about: 'alarm' }))
}

function findingOf({ name, detail, since }: ReturnType<typeof membersOf>): Finding {
  const [part, why] = [plain(name), plain(detail)]
  const remedy = REMEDIES[part] ?? 'journalctl -u grinpay-pay'
  return { ...fail(`${why === '' ? 'is not ready' : why} (since ${plain(since)})`, remedy), about: part }
}

const plain = (value: unknown): string => (typeof value === 'string' ? plainText(value.slice(0, 300)) : '')
