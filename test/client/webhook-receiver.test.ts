import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWebhookReceiver, type ReceivedEvent, type WebhookReceiver } from '../../src/client/index.js'
import { Secret } from '../../src/lib/secret.js'

const SECRET = `whsec_${'0123456789abcdef'.repeat(4)}`
const NOW = Date.UTC(2026, 6, 1, 12)
const BODY = JSON.stringify({ event_id: 'e1', event_type: 'test.ping', text: 'ünïcode' })

let receiver: WebhookReceiver
let events: ReceivedEvent[]
let refusals: string[]
let onEvent: (event: ReceivedEvent) => void
beforeEach(async () => {
  ;[events, refusals] = [[], []]
  onEvent = (event) => events.push(event)
  receiver = await createWebhookReceiver({
    port: 0,
    secret: new Secret(SECRET),
    now: () => NOW,
    onEvent: (event) => onEvent(event),
    onRefusal: (reason) => refusals.push(reason),
  })
})
afterEach(() => receiver.close())

/** Signed with the official library and with Node's own HMAC. */
const signedHeaders = (body = BODY, at = NOW): Record<string, string> => ({
  'x-pay-signature': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  'x-pay-delivery': 'e1',
  'webhook-id': 'e1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(SECRET).sign('e1', new Date(at), body),
})
const post = async (headers: Record<string, string>, body = BODY) =>
  (await fetch(receiver.url, { method: 'POST', headers, body })).status

test('a rightly signed event is handed on with its exact body', async () => {
  expect(await post(signedHeaders())).toBe(200)
  expect(events).toMatchObject([{ eventId: 'e1', body: BODY, payload: { event_type: 'test.ping' } }])
})

test('while the secret is being replaced, one right signature of several is enough', async () => {
  const headers = signedHeaders()
  expect(await post({ ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` })).toBe(200)
})

test.each([
  ['no signature', { 'x-pay-signature': '' }, 'no X-Pay-Signature header'],
  ['a foreign signature', { 'x-pay-signature': `sha256=${'0'.repeat(64)}` }, 'X-Pay-Signature does not match'],
  ['a foreign standard signature', { 'webhook-signature': 'v1,AAAA' }, 'webhook-signature does not match'],
  ['no timestamp', { 'webhook-timestamp': '' }, 'no webhook-id or webhook-timestamp header'],
  ['another id', { 'webhook-id': 'e2' }, 'webhook-signature does not match'],
])('%s is refused', async (_what, change, reason) => {
  expect(await post({ ...signedHeaders(), ...change })).toBe(401)
  expect({ events, refusals }).toEqual({ events: [], refusals: [reason] })
})

test('a changed body is refused', async () => {
  expect(await post(signedHeaders(), BODY.replace('e1', 'e2'))).toBe(401)
})

test('an old event is refused, however well it is signed', async () => {
  expect(await post(signedHeaders(BODY, NOW - 301_000))).toBe(401)
  expect(refusals).toEqual(['webhook-timestamp is too far off'])
})

test('too large a body is refused unread', async () => {
  expect(await post(signedHeaders(), 'x'.repeat(64 * 1024 + 1))).toBe(413)
})

test('no receiver opens with a secret that is no key', async () => {
  const parts = { port: 0, secret: new Secret('whsec_****************'), now: () => NOW, onEvent: () => {} }
  await expect(createWebhookReceiver(parts)).rejects.toThrow(RangeError)
})

test('only POST is taken', async () => expect((await fetch(receiver.url)).status).toBe(405))

test('a receiver that fails answers 500, so that the till tries again', async () => {
  onEvent = () => {
    throw new Error('shop is broken')
  }
  expect(await post(signedHeaders())).toBe(500)
})
