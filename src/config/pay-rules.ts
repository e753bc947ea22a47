// Rules that look at more than one setting; every broken one is reported.

import { isPrivateHost } from '../lib/private-host.js'
import type { PayValues } from './pay.js'

interface Rule {
  readonly refusal: string
  readonly breaks: (values: Partial<PayValues>) => boolean
}

const openHttp = (url: string): boolean => url.startsWith('http:') && !isPrivateHost(new URL(url).hostname)

export const PAY_RULES: readonly Rule[] = [
  {
    refusal: 'PAY_WEBHOOK_URL needs PAY_WEBHOOK_SECRET',
    breaks: (pay) => pay.webhookUrl !== undefined && pay.webhookSecret === undefined,
  },
  {
    refusal: 'PAY_WEBHOOK_URL must be https for a public host (or set PAY_WEBHOOK_ALLOW_HTTP=on)',
    breaks: (pay) => pay.webhookUrl !== undefined && pay.webhookAllowHttp === false && openHttp(pay.webhookUrl),
  },
  {
    refusal: 'PAY_TLS=on needs PAY_TLS_CERT and PAY_TLS_KEY',
    breaks: (pay) => pay.tls === true && (pay.tlsCert === undefined || pay.tlsKey === undefined),
  },
  {
    refusal: 'PAY_NSEC and PAY_NCRYPTSEC are both set',
    breaks: (pay) => pay.nsec !== undefined && pay.ncryptsec !== undefined,
  },
  {
    refusal: 'PAY_RELAY_MODE=external needs PAY_RELAYS',
    breaks: (pay) => pay.relayMode === 'external' && pay.relays?.length === 0,
  },
  {
    refusal: 'PAY_RATE_SOURCE has no fixed rate for every currency of PAY_RATE_CURRENCIES',
    breaks: ({ rateSource, currencies = [] }) =>
      rateSource?.kind === 'fixed' && currencies.some((currency) => rateSource.rates[currency] === undefined),
  },
]

/** What deserves a word at start although it is allowed. */
export const PAY_REMARKS: readonly Rule[] = [
  {
    refusal:
      'PAY_TRUSTED_PROXIES is empty: behind a proxy all customers share the request limits of one, and a single one of them can use them up',
    breaks: (pay) =>
      pay.rateLimits === true &&
      pay.trustedProxies?.length === 0 &&
      pay.tls === false &&
      pay.publicUrl !== undefined &&
      !isPrivateHost(new URL(pay.publicUrl).hostname),
  },
  {
    refusal: 'PAY_WEBHOOK_SECRET is set but PAY_WEBHOOK_URL is not: no events are sent',
    breaks: (pay) => pay.webhookSecret !== undefined && pay.webhookUrl === undefined,
  },
]
