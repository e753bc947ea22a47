// `webhook listen`: a receiver on this machine that verifies and hands on.
import { readFileSync } from 'node:fs'
import { createWebhookReceiver, type ReceivedEvent, type WebhookReceiver } from '../client/index.js'
import { readPayValues } from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { Secret } from '../lib/secret.js'
import { systemClock, systemRandom } from '../system/index.js'
import { daemonEnvironment } from './api-session.js'
import { tokenFileUnreadable } from './errors.js'

export interface ListenParts {
  readonly port: number
  readonly host: string
  readonly secret: Secret
  readonly onEvent: (event: ReceivedEvent) => void
  readonly onRefusal: (reason: string) => void
}

export const openReceiver = (parts: ListenParts): Promise<WebhookReceiver> =>
  createWebhookReceiver({ ...parts, now: systemClock.now })

/** From the named file, else the daemon's settings, else a new one that nobody else knows yet. */
export function webhookSecret(
  secretFile: string | undefined,
  envFile: string | undefined,
): { readonly secret: Secret; readonly isNew: boolean } {
  if (secretFile !== undefined) return { secret: readSecret(secretFile), isNew: false }
  const { webhookSecret: known } = readPayValues(daemonEnvironment(envFile)).values
  if (known) return { secret: known, isNew: false }
  return { secret: new Secret(`whsec_${Buffer.from(systemRandom.bytes(32)).toString('hex')}`), isNew: true }
}

function readSecret(path: string): Secret {
  try {
    return new Secret(readFileSync(path === '-' ? 0 : path, 'utf8').replace(/[\r\n]+$/, ''))
  } catch (error) {
    throw tokenFileUnreadable(path, messageOf(error))
  }
}
