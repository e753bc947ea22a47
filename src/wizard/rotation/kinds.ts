// The three secrets that a till shares with others: their settings, their shape, where a new file for them goes, and making one.
import { join } from 'node:path'
import { causedBy, hasCode, messageOf } from '../../lib/errors.js'
import { Secret } from '../../lib/secret.js'
import { receiverSetting } from '../../lib/webhooks.js'
import { createFile, type SystemRandom, systemRandom } from '../../system/index.js'
import { secretFileRefused } from '../errors.js'
import { newTokens } from '../pay/material.js'

export type SecretKind = 'api' | 'admin' | 'webhook'

/** One secret of a till; `receiver` counts for webhooks only, where each receiver has its own. */
export interface Rotated {
  readonly kind: SecretKind
  readonly receiver: number
}

interface Kind {
  readonly setting: (receiver: number) => string
  /** The till only compares it: the hash is enough. */
  readonly isCompared: boolean
  /** Inside the folder for secrets of the data directory, which the till may read whichever user runs it. */
  readonly file: (receiver: number) => string
}

export const KINDS: Readonly<Record<SecretKind, Kind>> = {
  api: { setting: () => 'PAY_API_TOKEN', isCompared: true, file: () => 'api_token' },
  admin: { setting: () => 'PAY_ADMIN_TOKEN', isCompared: true, file: () => 'admin_token' },
  webhook: {
    setting: (receiver) => receiverSetting(receiver, 'SECRET'),
    isCompared: false,
    file: (receiver) => (receiver === 1 ? 'webhook_secret' : `webhook_${receiver}_secret`),
  },
}

/** 32 random bytes as hex, after `pay_live_`, `pay_admin_` or `whsec_` (specification: invoicing, 9). */
export const newSecret = (kind: SecretKind, random: SystemRandom): Secret => new Secret(newTokens(random)[kind])

export const settingOf = ({ kind, receiver }: Rotated): string => KINDS[kind].setting(receiver)

export const secretFileIn = (dataDir: string, { kind, receiver }: Rotated): string =>
  join(dataDir, 'secrets', KINDS[kind].file(receiver))

/** With `out` also as the one line of a new file, mode 0600. Throws SECRET_FILE_REFUSED. */
export async function makeSecret(kind: SecretKind, out: string | undefined): Promise<Secret> {
  const secret = newSecret(kind, systemRandom)
  if (out !== undefined) await writeSecretFile(out, secret)
  return secret
}

/** The one line of a new file, mode 0600 from its first byte. Throws SECRET_FILE_REFUSED, also when there is one already. */
export async function writeSecretFile(path: string, secret: Secret): Promise<void> {
  try {
    await createFile(path, `${secret.reveal()}\n`, 0o600)
  } catch (error) {
    throw causedBy(secretFileRefused(path, hasCode(error, 'EEXIST') ? 'it exists' : messageOf(error)), error)
  }
}
