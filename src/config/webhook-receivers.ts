// Webhook receivers 2 to 8: each an address and a secret of its own, like those of the first.
import type { SecretLine } from '../lib/secret-lines.js'
import { optional, type Setting, secretLines } from './setting.js'
import * as as from './values.js'

/** Receiver 1 is PAY_WEBHOOK_URL. */
export const FURTHER_RECEIVERS = [2, 3, 4, 5, 6, 7, 8] as const
type Further = (typeof FURTHER_RECEIVERS)[number]

type UrlKey = `webhook${Further}Url`
type SecretsKey = `webhook${Further}Secrets`

export const urlKey = (receiver: Further): UrlKey => `webhook${receiver}Url`
export const secretsKey = (receiver: Further): SecretsKey => `webhook${receiver}Secrets`

type ReceiverSettings = { readonly [K in UrlKey]: Setting<string | undefined> } & {
  readonly [K in SecretsKey]: Setting<readonly SecretLine[] | undefined>
}

function settingsOf(receiver: Further, group: string) {
  const name = `PAY_WEBHOOK_${receiver}`
  return [
    [
      urlKey(receiver),
      optional(`${name}_URL`, as.oneAddress('http', 'https'), {
        group,
        about: `Where receiver ${receiver} gets every event as well. Needs ${name}_SECRET.`,
        aliases: [],
      }),
    ],
    [
      secretsKey(receiver),
      secretLines(`${name}_SECRET`, {
        group,
        about: `Key of the event signatures for receiver ${receiver}, at least 16 characters. Needs ${name}_URL.`,
        aliases: [],
        mayBeHashed: false,
      }),
    ],
  ] as const
}

/** Two settings for each of them. */
export const receiverSettings = (group: string): ReceiverSettings =>
  Object.fromEntries(FURTHER_RECEIVERS.flatMap((receiver) => settingsOf(receiver, group))) as ReceiverSettings
