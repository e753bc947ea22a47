// A webhook as a till signs it, checked by the package; another secret is refused.
import { createHmac } from 'node:crypto'
import { TillError, verifyWebhook } from '@grinpay/client'

const body = JSON.stringify({ event_id: 'evt_1', event_type: 'payment.confirmed', payment: { amount_grin: '1.5' } })
const timestamp = `${Math.floor(Date.now() / 1000)}`
const signature = createHmac('sha256', 'secret').update(`evt_1.${timestamp}.${body}`).digest('base64')
const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
console.log(verifyWebhook({ headers, body, secret: 'secret' }).event_type)
try {
  verifyWebhook({ headers, body, secret: 'other' })
} catch (error) {
  console.log(error instanceof TillError, error.code)
}
