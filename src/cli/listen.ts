// `webhook listen`: a receiver on this machine that verifies and hands on.
import { createWebhookReceiver, type ReceivedEvent, type WebhookReceiver } from '../client/index.js'
import { configurationError, readPayValues } from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { Secret } from '../lib/secret.js'
import { presentable } from '../lib/secret-lines.js'
import { webhookSecretFault } from '../lib/webhooks.js'
import { systemClock, systemRandom } from '../system/index.js'
import { daemonEnvironment } from './api-session.js'
import { cannotListen, usage } from './errors.js'
import { readSecretFile } from './values.js'

export interface ListenParts {
  readonly port: number
  readonly host: string
  readonly secret: Secret
  readonly onEvent: (event: ReceivedEvent) => void
  readonly onRefusal: (reason: string) => void
}

/** Throws CANNOT_LISTEN. */
export async function openReceiver(parts: ListenParts): Promise<WebhookReceiver> {
  try {
    return await createWebhookReceiver({ ...parts, now: systemClock.now })
  } catch (error) {
    const { host, port } = parts
    throw Object.assign(cannotListen(host, port, messageOf(error)), { cause: error })
  }
}

/** From the named file, else the daemon's settings, else a new secret. Throws USAGE, CONFIGURATION for one that is no key. */
export function webhookSecret(
  secretFile: string | undefined,
  envFile: string | undefined,
): { readonly secret: Secret; readonly isNew: boolean } {
  if (secretFile !== undefined) return { secret: secretIn(secretFile), isNew: false }
  const { values, problems } = readPayValues(daemonEnvironment(envFile))
  if (!('webhookSecrets' in values))
    throw configurationError(problems.filter(({ setting }) => setting === 'PAY_WEBHOOK_SECRET'))
  const known = presentable(values.webhookSecrets)
  if (known) return { secret: known, isNew: false }
  return { secret: new Secret(`whsec_${Buffer.from(systemRandom.bytes(32)).toString('hex')}`), isNew: true }
}

function secretIn(path: string): Secret {
  const secret = readSecretFile(path)
  const fault = webhookSecretFault(secret.reveal())
  if (fault !== undefined) throw usage(`the webhook secret in ${path} ${fault}`)
  return secret
}
