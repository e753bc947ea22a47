import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { nanogrin, TillError, verifyWebhook } from '../../../src/client/shop/index.js'
import { lenientKey, UNSOUND_SECRETS } from '../../support/unsound-secrets.js'

const SECRET = `whsec_${'0123456789abcdef'.repeat(4)}`
const OLD = `whsec_${'fedcba9876543210'.repeat(4)}`
const NOW = Date.UTC(2026, 6, 1, 12)
const BODY = JSON.stringify({ event_id: 'e1', event_type: 'test.ping', text: 'ünïcode' })

const headersOf = (secret = SECRET, at = NOW, body = BODY) => ({
  'webhook-id': 'e1',
  'webhook-timestamp': String(at / 1000),
  'webhook-signature': new Webhook(secret).sign('e1', new Date(at), body),
})
const verify = (parts: Partial<Parameters<typeof verifyWebhook>[0]>) =>
  verifyWebhook({ headers: headersOf(), body: BODY, secret: SECRET, now: NOW, ...parts })

describe('verifyWebhook', () => {
  test.each([
    ['text', BODY],
    ['bytes', Buffer.from(BODY)],
  ])('gives back the event out of %s', (_, body) => {
    expect(verify({ body })).toMatchObject({ event_id: 'e1', event_type: 'test.ping' })
  })

  test('reads headers of fetch, too', () => {
    expect(verify({ headers: new Headers(headersOf()) }).event_id).toBe('e1')
  })

  test('one of several secrets is enough, and one of several signatures', () => {
    expect(verify({ headers: headersOf(OLD), secret: [SECRET, OLD] }).event_id).toBe('e1')
    const both = `${headersOf(OLD)['webhook-signature']} ${headersOf()['webhook-signature']}`
    expect(verify({ headers: { ...headersOf(), 'webhook-signature': both } }).event_id).toBe('e1')
  })

  test.each([
    ['a wrong secret', { secret: OLD }, 'webhook-signature does not match'],
    ['a changed body', { body: BODY.replace('e1', 'e2') }, 'webhook-signature does not match'],
    ['an old one', { now: NOW + 301_000 }, 'webhook-timestamp is too far off'],
    ['one from the future', { now: NOW - 301_000 }, 'webhook-timestamp is too far off'],
    ['no headers', { headers: {} }, 'no webhook-id or webhook-timestamp header'],
    ['no headers of fetch', { headers: new Headers() }, 'no webhook-id or webhook-timestamp header'],
    [
      'text that is no event',
      { body: '7', headers: headersOf(SECRET, NOW, '7') },
      'it is signed, but no event of a till',
    ],
  ])('refuses %s', (_, change, why) => {
    const error = (() => {
      try {
        return verify(change)
      } catch (thrown) {
        return thrown
      }
    })()
    expect(error).toBeInstanceOf(TillError)
    expect(error).toMatchObject({ code: 'WEBHOOK_REFUSED', status: 401, message: `not a webhook of this till: ${why}` })
  })

  test.each(UNSOUND_SECRETS)('never works with %s as secret, whoever signed', (_, secret) => {
    const mac = createHmac('sha256', lenientKey(secret))
      .update(`e1.${NOW / 1000}.${BODY}`)
      .digest('base64')
    const forged = { ...headersOf(), 'webhook-signature': `v1,${mac}` }
    for (const headers of [forged, headersOf(), {}]) {
      expect(() => verify({ headers, secret })).toThrow(/^the webhook secret (is|has) /)
      expect(() => verify({ headers, secret: [SECRET, secret] })).toThrow(RangeError)
    }
  })

  test('never works without a secret', () => {
    expect(() => verify({ secret: [] })).toThrow(RangeError)
  })

  test('a key of 24 bytes, or a plain text, is a secret', () => {
    for (const secret of [`whsec_${'c3'.repeat(16)}`, `whsec_${Buffer.alloc(25, 0xfb).toString('base64')}`])
      expect(verify({ headers: headersOf(secret), secret }).event_id).toBe('e1')
    const raw = new Webhook('a text of my own', { format: 'raw' }).sign('e1', new Date(NOW), BODY)
    expect(verify({ headers: { ...headersOf(), 'webhook-signature': raw }, secret: 'a text of my own' }).event_id).toBe(
      'e1',
    )
  })
})

test.each([
  ['1.5', 1_500_000_000],
  ['0.000000001', 1],
  ['9007199.254740991', Number.MAX_SAFE_INTEGER],
])('%s GRIN are %d nanogrin', (grin, units) => expect(nanogrin(grin)).toBe(units))

test.each(['', '0', '-1', '1e3', '0.0000000001', '9007199.254740992', '1,5', '1.5 GRIN'])(
  '"%s" is no amount',
  (text) => {
    expect(() => nanogrin(text)).toThrow(RangeError)
  },
)
