// Webhooks, for the settings, the till, its receivers and the client of the shop: receivers, their secrets, and what helps when a delivery fails.

// Which webhook receivers there can be, and how their settings are called: those of receiver 1 carry no number.
export const RECEIVERS = [1, 2, 3, 4, 5, 6, 7, 8] as const

/** E.g. PAY_WEBHOOK_URL, PAY_WEBHOOK_3_SECRET. */
export const receiverSetting = <Member extends 'URL' | 'SECRET'>(
  receiver: number,
  member: Member,
): `PAY_WEBHOOK_${Member}` | `PAY_WEBHOOK_${number}_${Member}` =>
  receiver === 1 ? `PAY_WEBHOOK_${member}` : `PAY_WEBHOOK_${receiver}_${member}`

// The key that a webhook secret stands for (Standard Webhooks). The settings, the till, its receivers and the shop's client all ask here:
// decoders that skip what they cannot read make an empty key of a mistyped secret, and an empty key signs for everybody.
const PREFIX = 'whsec_'
/** As the Standard Webhooks libraries ask for; ours have 48. */
const LEAST_BYTES = 24

/** Why a secret verifies nothing, as the end of "the webhook secret …"; undefined for a good one. Quotes no part of it. */
export function webhookSecretFault(secret: string): string | undefined {
  if (!secret.startsWith(PREFIX)) return secret.trim() === '' ? 'is empty' : undefined
  const text = secret.slice(PREFIX.length)
  const key = Buffer.from(text, 'base64')
  if (key.toString('base64') !== text)
    return `is not standard base64 with padding after "${PREFIX}" (letters, digits, + and /)`
  return key.length < LEAST_BYTES
    ? `has a key of ${key.length} bytes after "${PREFIX}", of at least ${LEAST_BYTES}`
    : undefined
}

/** After the prefix `whsec_` the key is base64; every other secret is its own UTF-8 bytes. Throws RangeError for one that verifies nothing. */
export function webhookKey(secret: string): Uint8Array {
  const fault = webhookSecretFault(secret)
  if (fault !== undefined) throw new RangeError(`the webhook secret ${fault}`)
  return secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)
}

// What helps when the shop does not take a webhook, by how it answered. The doctor and `webhook test` say the same.
interface Remedy {
  readonly from: number
  readonly to: number
  readonly remedy: string
}

const BY_STATUS: readonly Remedy[] = [
  {
    from: 300,
    to: 399,
    remedy: 'name the last address in PAY_WEBHOOK_URL: redirects are not followed; then systemctl restart grinpay-pay',
  },
  {
    from: 401,
    to: 403,
    remedy: 'give the shop the webhook secret of the till (PAY_WEBHOOK_SECRET); then grinpay webhook test',
  },
  {
    from: 404,
    to: 410,
    remedy:
      'correct PAY_WEBHOOK_URL, or install the plugin of the shop; then systemctl restart grinpay-pay, grinpay webhook test',
  },
]
const LOG = 'look into the log of the shop; then grinpay webhook test'
const TLS = 'renew the certificate of the shop, or correct the host in PAY_WEBHOOK_URL; then grinpay webhook test'
const UNSIGNED =
  'set PAY_WEBHOOK_SECRET to the secret that the shop has; then systemctl restart grinpay-pay, grinpay webhook test'
const SILENT = 'check PAY_WEBHOOK_URL, and that the shop runs; then grinpay webhook test'

/** `status`: of the answer; null when there was none, for the reason `error`. The settings and commands of a further receiver carry its number. */
export function webhookRemedy(status: number | null, error: string, receiver = 1): string {
  const remedy = remedyFor(status, error)
  if (receiver === 1) return remedy
  return remedy
    .replaceAll('PAY_WEBHOOK_', `PAY_WEBHOOK_${receiver}_`)
    .replaceAll('grinpay webhook test', `grinpay webhook test --receiver ${receiver}`)
    .replaceAll('the shop', `receiver ${receiver}`)
}

function remedyFor(status: number | null, error: string): string {
  if (status === null && error.includes('no secret in force')) return UNSIGNED
  if (status === null) return /certificate|tls|ssl/i.test(error) ? TLS : SILENT
  return BY_STATUS.find(({ from, to }) => status >= from && status <= to)?.remedy ?? LOG
}
