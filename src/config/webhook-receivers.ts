// Webhook receivers 2 to 8: each an address and a secret of its own, like those of the first.
import type { SecretLine } from '../lib/secret-lines.js'
import { receiverSetting } from '../lib/webhooks.js'
import { optional, type Setting, secretLines } from './setting.js'
import * as as from './values.js'

/** Receiver 1 is PAY_WEBHOOK_URL; these are the members that hold address and secret of each further one. */
export const FURTHER_RECEIVERS = [
  { receiver: 2, url: 'webhook2Url', secrets: 'webhook2Secrets' },
  { receiver: 3, url: 'webhook3Url', secrets: 'webhook3Secrets' },
  { receiver: 4, url: 'webhook4Url', secrets: 'webhook4Secrets' },
  { receiver: 5, url: 'webhook5Url', secrets: 'webhook5Secrets' },
  { receiver: 6, url: 'webhook6Url', secrets: 'webhook6Secrets' },
  { receiver: 7, url: 'webhook7Url', secrets: 'webhook7Secrets' },
  { receiver: 8, url: 'webhook8Url', secrets: 'webhook8Secrets' },
] as const
type Further = (typeof FURTHER_RECEIVERS)[number]

type ReceiverSettings = { readonly [K in Further['url']]: Setting<string | undefined> } & {
  readonly [K in Further['secrets']]: Setting<readonly SecretLine[] | undefined>
}

function settingsOf({ receiver, url, secrets }: Further) {
  const [addressName, secretName] = [receiverSetting(receiver, 'URL'), receiverSetting(receiver, 'SECRET')]
  return [
    [
      url,
      optional(addressName, as.oneAddress('http', 'https'), {
        about: `Receiver ${receiver}. Needs ${secretName}.`,
        aliases: [],
      }),
    ],
    [
      secrets,
      secretLines(secretName, {
        about: 'Its signing key, as PAY_WEBHOOK_SECRET.',
        aliases: [],
        use: 'webhook',
        rotated: `webhook --receiver ${receiver}`,
      }),
    ],
  ] as const
}

/** Two settings for each of them. */
export const receiverSettings = (): ReceiverSettings =>
  Object.fromEntries(FURTHER_RECEIVERS.flatMap(settingsOf)) as ReceiverSettings
