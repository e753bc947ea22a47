// The three secrets that a till shares with others: their settings, their shape, and where a new file for them goes.
import { join } from 'node:path'
import { Secret } from '../../lib/secret.js'
import type { Random } from '../../system/index.js'
import { newTokens } from '../material.js'

export type SecretKind = 'api' | 'admin' | 'webhook'

interface Kind {
  readonly setting: 'PAY_API_TOKEN' | 'PAY_ADMIN_TOKEN' | 'PAY_WEBHOOK_SECRET'
  /** The till only compares it: the hash is enough. */
  readonly isCompared: boolean
  /** Inside the folder for secrets of the data directory, which the till may read whoever it runs as. */
  readonly file: string
}

export const KINDS: Readonly<Record<SecretKind, Kind>> = {
  api: { setting: 'PAY_API_TOKEN', isCompared: true, file: 'api_token' },
  admin: { setting: 'PAY_ADMIN_TOKEN', isCompared: true, file: 'admin_token' },
  webhook: { setting: 'PAY_WEBHOOK_SECRET', isCompared: false, file: 'webhook_secret' },
}

/** 32 random bytes as hex, after `pay_live_`, `pay_admin_` or `whsec_` (specification: invoicing, 9). */
export const newSecret = (kind: SecretKind, random: Random): Secret => new Secret(newTokens(random)[kind])

export const secretFileIn = (dataDir: string, kind: SecretKind): string => join(dataDir, 'secrets', KINDS[kind].file)
