// Tokens and webhook secret: which old ones still count, and whether the till that runs takes those of these settings.
import { httpTransport } from '../../client/index.js'
import type { RotatingSecrets } from '../../config/index.js'
import { momentText } from '../../lib/moment-text.js'
import type { Secret } from '../../lib/secret.js'
import { inForce, type SecretLine } from '../../lib/secret-lines.js'
import { receiverSetting } from '../../lib/webhooks.js'
import { PATIENCE_MS } from '../ask.js'
import type { DoctorCheck, TillDoctorContext } from '../check.js'
import { type Finding, fail, pass, warn } from '../finding.js'
import { tillRuns } from './daemon-check.js'

export const secretsCheck: DoctorCheck = {
  name: 'secrets',
  limitMs: 20_000,
  async run(context) {
    const { config, clock } = context
    const { receiverSecrets } = config.rotating
    const overlaps = [
      ...KINDS.map(({ name, which }) => [name, config.rotating[which]] as const),
      ...[...receiverSecrets].map(([receiver, lines]) => [receiverSetting(receiver, 'SECRET'), lines] as const),
    ].flatMap(([name, lines]) => overlapsOf(name, lines, clock.now()))
    const isRunning = await tillRuns(context)
    const tokens = await Promise.all(KINDS.map((kind) => tokenFindings(kind, context, isRunning)))
    return [...tokens.flat(), ...overlaps]
  },
}

interface Kind {
  /** As `secret new` calls it. */
  readonly kind: string
  readonly name: string
  readonly which: Exclude<keyof RotatingSecrets, 'receiverSecrets'>
  /** What commands present; none for what only signs. */
  readonly token?: (config: TillDoctorContext['config']) => Secret | undefined
  /** Answers 401 to a token that is not taken, and something else to one that is. */
  readonly asked?: string
  /** What does not work without it. */
  readonly absent?: string
}

const KINDS: readonly Kind[] = [
  {
    kind: 'api',
    name: 'PAY_API_TOKEN',
    which: 'apiTokens',
    token: ({ apiToken }) => apiToken,
    asked: '/invoice/00000000-0000-4000-8000-000000000000',
    absent: 'no shop can create invoices',
  },
  {
    kind: 'admin',
    name: 'PAY_ADMIN_TOKEN',
    which: 'adminTokens',
    token: ({ adminToken }) => adminToken,
    asked: '/admin/invoices?limit=1',
    absent: 'commands that ask the till do not work',
  },
  { kind: 'webhook', name: 'PAY_WEBHOOK_SECRET', which: 'webhookSecrets' },
]

async function tokenFindings(
  { kind, name, which, token, asked, absent }: Kind,
  context: TillDoctorContext,
  isRunning: boolean,
): Promise<readonly Finding[]> {
  const { config, tillUrl } = context
  if (absent !== undefined && config.rotating[which].length === 0)
    return [
      warn(
        `${name} is not set: ${absent}`,
        `grinpay secret new ${kind} --out FILE, and name that file as ${name}_FILE`,
      ),
    ]
  const secret = token?.(config)
  if (!secret || asked === undefined || !isRunning) return []
  const headers = { authorization: `Bearer ${secret.reveal()}` }
  const answer = await httpTransport(PATIENCE_MS)({ method: 'GET', url: `${tillUrl}${asked}`, headers }).catch(
    () => undefined,
  )
  if (answer?.status === 401)
    return [
      fail(
        `the till that runs does not take ${name} of these settings: it has another one since its start`,
        'systemctl restart grinpay-pay',
      ),
    ]
  return answer?.status === 200 || answer?.status === 404 ? [pass(`${name} is taken by the till that runs`)] : []
}

/** One line for each old one that still counts. */
const overlapsOf = (name: string, lines: readonly SecretLine[], now: number): readonly Finding[] =>
  inForce(lines, now).flatMap(({ until }) =>
    until === undefined ? [] : [pass(`${name}: an old one, replaced by a rotation, counts until ${momentText(until)}`)],
  )
