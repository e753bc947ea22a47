// Tokens and webhook secrets while the till runs: a rotation is taken up within seconds, and old ones end by the clock. A receiver's
// secret belongs to its address, and addresses stay as they were at the start.
import type { PayConfig, RotatingSecrets } from '../../../config/index.js'
import { messageOf } from '../../../lib/errors.js'
import type { Log } from '../../../lib/ports.js'
import type { Secret } from '../../../lib/secret.js'
import { inForce, type SecretLine } from '../../../lib/secret-lines.js'
import type { SystemClock } from '../../../system/index.js'
import type { Part, RuntimeLog } from '../../runtime.js'
import { stampOf } from '../file-stamp.js'
import { createLoop } from '../loop.js'

export interface LiveSecretsParts {
  readonly rotating: PayConfig['rotating']
  /** The receivers that the till posts to until it ends. */
  readonly webhooks: PayConfig['webhooks']
  /** The settings as they are now; throws when they are no good. Absent: what was read first stays. */
  readonly reread: (() => Pick<PayConfig, 'rotating' | 'webhooks'>) | undefined
  readonly clock: SystemClock
  readonly log: RuntimeLog & Pick<Log, 'warn'>
}

export interface LiveSecrets {
  /** Each says at the moment it is walked through what counts then, the newest first. */
  readonly apiTokens: Iterable<Secret>
  readonly adminTokens: Iterable<Secret>
  readonly webhookSecrets: (receiver: number) => Iterable<Secret>
  /** Reads them again. Rejects when they are no good; what was in force stays. */
  reload(): Promise<void>
  /** Watches their files; none when nothing can be read again. */
  readonly parts: readonly Part[]
}

const POLL_MS = 2000

export function createLiveSecrets({ rotating, webhooks, reread, clock, log }: LiveSecretsParts): LiveSecrets {
  let current = rotating
  let seen = stampOf(current.files)

  const live = (lines: (rotating: RotatingSecrets) => readonly SecretLine[]): Iterable<Secret> => ({
    *[Symbol.iterator]() {
      for (const { secret } of inForce(lines(current), clock.now())) yield secret
    },
  })

  async function reload(): Promise<void> {
    const before = { files: current.files, stamp: stampOf(current.files) }
    seen = before.stamp // also of a broken file, which is reported once
    if (!reread) return
    const settings = reread()
    const moved = movedReceivers(webhooks, settings.webhooks)
    current = keepingSecretsOf(moved, current, settings.rotating)
    // Other files may have changed since they were read: then they are read once more.
    seen = String(before.files) === String(current.files) ? before.stamp : ''
    log.info(countsOf(current, clock.now()), 'tokens and webhook secrets read again')
    if (moved.length > 0)
      log.warn({ receivers: moved }, 'webhook receivers with another address keep their old secrets until a restart')
  }

  async function watch(): Promise<void> {
    if (stampOf(current.files) === seen) return
    await reload().catch((thrown: unknown) =>
      log.error({ cause: messageOf(thrown) }, 'changed secrets cannot be read: those in force stay'),
    )
  }

  const loop = { name: 'secrets', everyMs: POLL_MS, pass: watch, sleep: clock.sleep, log }
  return {
    apiTokens: live(({ apiTokens }) => apiTokens),
    adminTokens: live(({ adminTokens }) => adminTokens),
    webhookSecrets: (receiver) => live((from) => linesOf(from, receiver)),
    reload,
    parts: reread ? [createLoop(loop)] : [],
  }
}

const linesOf = ({ webhookSecrets, receiverSecrets }: RotatingSecrets, receiver: number): readonly SecretLine[] =>
  receiver === 1 ? webhookSecrets : (receiverSecrets.get(receiver) ?? [])

/** Numbers of the receivers in use that the settings now give another address, or none. */
const movedReceivers = (inUse: PayConfig['webhooks'], now: PayConfig['webhooks']): readonly number[] =>
  inUse
    .filter(({ receiver, url }) => now.find((one) => one.receiver === receiver)?.url !== url)
    .map(({ receiver }) => receiver)

/** `next` with the webhook secrets that `current` has for these receivers. */
const keepingSecretsOf = (
  receivers: readonly number[],
  current: RotatingSecrets,
  next: PayConfig['rotating'],
): PayConfig['rotating'] => ({
  ...next,
  webhookSecrets: linesOf(receivers.includes(1) ? current : next, 1),
  receiverSecrets: new Map([
    ...next.receiverSecrets,
    ...receivers
      .filter((receiver) => receiver !== 1)
      .map((receiver) => [receiver, linesOf(current, receiver)] as const),
  ]),
})

/** How many of each count, for the log. */
const countsOf = ({ apiTokens, adminTokens, webhookSecrets, receiverSecrets }: RotatingSecrets, now: number) => ({
  api: inForce(apiTokens, now).length,
  admin: inForce(adminTokens, now).length,
  webhook: [webhookSecrets, ...receiverSecrets.values()].flatMap((lines) => inForce(lines, now)).length,
})
