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
