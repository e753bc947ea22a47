// What of the settings the authority itself needs, and in its own terms.
import type { AuthoritySettings } from '../../../authority/index.js'
import type { NamesConfig } from '../../../config/index.js'
import { parseGrin } from '../../../grin/amount/index.js'

export const nameSettings = (config: NamesConfig): AuthoritySettings => ({
  domain: config.domain,
  baseUrl: config.baseUrl,
  relays: config.relays,
  nameMin: config.nameMin,
  nameMax: config.nameMax,
  cooldownSeconds: config.cooldownSeconds,
  authMaxAgeSeconds: config.authMaxAgeSeconds,
  reserved: config.reserved,
  sale: config.sale && { resource: config.sale.resource, price: parseGrin(config.sale.priceGrin) },
  pollIntervalSeconds: config.pollIntervalSeconds,
  transfers: config.transfers,
})

/** What all front ends must have alike, by its setting. Addresses of tills and nodes may differ from machine to machine. */
export const settingsInCommon = (config: NamesConfig): Readonly<Record<string, unknown>> => ({
  NAMEAUTH_DOMAIN: config.domain,
  NAMEAUTH_BASE_URL: config.baseUrl,
  NAMEAUTH_RELAYS: config.relays,
  NAMEAUTH_NAME_MIN: config.nameMin,
  NAMEAUTH_NAME_MAX: config.nameMax,
  NAMEAUTH_RESERVED_FILE: config.reserved.toSorted(),
  NAMEAUTH_NAME_CHANGE_COOLDOWN_SECS: config.cooldownSeconds,
  NAMEAUTH_AUTH_MAX_AGE_SECS: config.authMaxAgeSeconds,
  'NAMEAUTH_PAY_MODE and price': config.sale,
  'NAMEAUTH_TRANSFERS and their terms': config.transfers && { ...config.transfers, nodeUrls: [] },
})
