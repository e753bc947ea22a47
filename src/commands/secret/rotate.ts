import { Args, Flags } from '@oclif/core'
import {
  BaseCommand,
  examplesOf,
  openClock,
  openSettings,
  outputFile,
  parseDuration,
  receiverFlag,
  settingsFlag,
  usage,
} from '../../cli/index.js'
import { momentText } from '../../lib/moment-text.js'
import type { Rotation } from '../../wizard/index.js'

const LONGEST_DAYS = 90

export default class SecretRotate extends BaseCommand {
  static override summary = 'replace a token or the webhook secret while the till runs'
  static override description =
    'The new secret counts at once; the till accepts the old one until the overlap ends (--overlap 0: at once). A running till follows within seconds and loses no request. During the overlap "webhook-signature" carries both signatures, "X-Pay-Signature" only the new one: give the shop the new secret at once; refused webhooks are repeated. Keeps only the hash of old tokens. Moves a secret from the env file to a file in PAY_DATA_DIR. A secret that systemd hands over (LoadCredential) needs a restart, and the command says so.'
  static override examples = examplesOf(
    'api --overlap 24h',
    'webhook --overlap 7d --out ./webhook_secret',
    'admin --overlap 0',
  )
  static override enableJsonFlag = true
  static override args = {
    kind: Args.option({ options: ['api', 'admin', 'webhook'] as const })({
      required: true,
      description: 'the secret',
    }),
  }
  static override flags = {
    overlap: Flags.string({ description: 'how long the old one stays valid', default: '24h', helpValue: 'DURATION' }),
    out: Flags.string({
      description: 'write the new one to this new file, mode 0600; - for standard output',
      helpValue: 'FILE',
    }),
    hash: Flags.boolean({
      description: 'keep only the hash of the new token; commands on this machine then need --token-file',
    }),
    ...receiverFlag('webhook receiver whose secret to replace (default: the first)'),
    settings: settingsFlag('settings of the till (or GRINPAY_ENV_FILE)'),
  }

  async run() {
    const { args, flags } = await this.parse(SecretRotate)
    const { kind } = args
    const { hash } = flags
    const out = outputFile(flags.out)
    if (hash && kind === 'webhook') throw usage('--hash is for tokens: the till signs with the webhook secret itself')
    if (flags.receiver !== undefined && kind !== 'webhook')
      throw usage('--receiver is for webhooks: tokens are the same for everybody')
    const { receiver = 1 } = flags
    const overlapSeconds = parseDuration(flags.overlap)
    if (overlapSeconds > LONGEST_DAYS * 86_400)
      throw usage(`too long an overlap: "${flags.overlap}" (at most ${LONGEST_DAYS}d)`)
    const { tillEnvironment } = await openSettings()
    const { rotateSecret, systemRandom: random } = await import('../../wizard/index.js')
    const settings = () => tillEnvironment(flags.settings)
    const done = await rotateSecret({ settings, kind, receiver, overlapSeconds, hash, out, clock: openClock(), random })
    const { secret, file, oldUntil, movedFrom, isHandedOver } = done
    this.log(out ?? secret.reveal())
    for (const line of advice(done)) this.say(line)
    return {
      kind,
      receiver: kind === 'webhook' ? receiver : null,
      secret: out === undefined ? secret.reveal() : null,
      file: out ?? null,
      kept_in: file,
      kept_as: hash ? 'hash' : 'text',
      old_until: oldUntil === undefined ? null : momentText(oldUntil),
      restart_needed: movedFrom !== undefined || isHandedOver,
    }
  }
}

const RESTART = 'systemctl restart grinpay-pay'

const advice = ({ file, oldUntil, movedFrom, isHandedOver }: Rotation): readonly string[] => [
  oldUntil === undefined
    ? `the old one is refused from ${isHandedOver ? 'the next start' : 'now'} on`
    : `the old one is good until ${momentText(oldUntil)}`,
  `kept in ${file}`,
  ...(movedFrom === undefined ? [] : [`${movedFrom} names that file from now on`]),
  ...takenUp(isHandedOver, movedFrom !== undefined),
]

/** When a till that runs knows of it. */
function takenUp(isHandedOver: boolean, isMoved: boolean): readonly string[] {
  if (isHandedOver)
    return [
      `systemd hands this secret to the till at its start: until the next one a till that runs takes the old one alone, with or without overlap. Now: ${RESTART}`,
    ]
  return isMoved
    ? [
        `a till that reads its settings itself takes it up within seconds; one that systemd started needs, this once: ${RESTART}`,
      ]
    : ['a running till takes it up within seconds']
}
