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
