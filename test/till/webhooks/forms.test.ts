// The bytes of a webhook: bodies, signatures, schedule. Vectors: test/vectors/pay/webhook.json.
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { Secret } from '../../../src/lib/secret.js'
import { type EventFacts, paymentBody, paySignature, webhookHeaders } from '../../../src/till/webhooks/events.js'
import { causeOf, MAX_ATTEMPTS, needsOperator, webhookRetryDelay } from '../../../src/till/webhooks/schedule.js'
import { NOON, SECOND } from '../../support/till-builders.js'
import { UNSOUND_SECRETS } from '../../support/unsound-secrets.js'
import { vectors } from '../../support/vectors.js'

const { signatures, backoff } = vectors('pay/webhook.json')

describe('bodies', () => {
  const payment = {
    id: '0436430c-2b02-624c-2032-570501212b00',
    amount: nanoGrin(2_000_000_000n),
    payer: 'aa'.repeat(32),
    userId: null,
    minedHeight: null,
    confirmations: 0,
  }
  const invoice = { id: '0123456789abcdef0123456789abcdef', orderRef: 'order-42' }
  const CASES: readonly [number, string, number, EventFacts][] = [
    [0, '5f3c9a1e7b2d4c6088aa10203040506f', NOON, { type: 'payment.received', payment, invoice }],
    [
      1,
      '00112233445566778899aabbccddeeff',
      NOON + 690 * SECOND,
      { type: 'payment.confirmed', payment: { ...payment, minedHeight: 3_900_123, confirmations: 10 }, invoice },
    ],
    [
      2,
      'ffeeddccbbaa99887766554433221100',
      NOON,
      {
        type: 'payment.received',
        payment: { ...payment, id: '0436430c-2b02-624c-2032-570501212b01', amount: nanoGrin(1n), payer: null },
        invoice: null,
      },
    ],
  ]

  test.each(CASES)('vector %i, byte for byte', (at, eventId, now, facts) => {
    expect(paymentBody(facts, eventId, now)).toBe(signatures[at].body)
  })

  test('amounts beyond what numbers hold are exact, texts are escaped', () => {
    const large = { ...payment, amount: nanoGrin(2n ** 64n - 1n), userId: 'a"b' }
    const body = paymentBody(
      { type: 'payment.received', payment: large, invoice: { ...invoice, orderRef: '"\\ é' } },
      'e',
      NOON,
    )
    expect(body).toContain('"amount":18446744073709551615,"amount_grin":"18446744073.709551615"')
    expect(JSON.parse(body)).toMatchObject({ order_ref: '"\\ é', user_id: 'a"b' })
  })

  test('confirmations stand only in payment.confirmed', () => {
    const deep = { ...payment, minedHeight: 7, confirmations: 10 }
    const received = paymentBody({ type: 'payment.received', payment: deep, invoice }, 'e', NOON)
    expect(JSON.parse(received).payment).not.toHaveProperty('confirmations')
    expect(JSON.parse(received).payment.confirmed_height).toBeNull()
  })
})

describe('signatures', () => {
  test.each<{ secret: string; body: string; signature_header: string }>(signatures)(
    '$signature_header',
    ({ secret, body, signature_header }) => {
      expect(paySignature(new Secret(secret), body)).toBe(signature_header)
    },
  )

  const OLD = `whsec_${'00'.repeat(16)}`
  const NEW = `whsec_${'c3'.repeat(32)}`
  const event = { eventId: '00112233445566778899aabbccddeeff', type: 'payment.received', body: '{"π":"é"}' } as const
  const headersOf = (secrets: readonly string[], compat = true, now = NOON + 999) =>
    webhookHeaders(event, { secrets: secrets.map((text) => new Secret(text)), compat, version: '1.2.3' }, now)

  test('all families stand side by side', () => {
    expect(headersOf([NEW])).toEqual({
      'content-type': 'application/json',
      'user-agent': 'grinpay/1.2.3',
      'x-pay-event': 'payment.received',
      'x-pay-delivery': event.eventId,
      'x-pay-signature': paySignature(new Secret(NEW), event.body),
      'x-goblinpay-delivery': event.eventId,
      'x-goblinpay-signature': paySignature(new Secret(NEW), event.body),
      'webhook-id': event.eventId,
      'webhook-timestamp': String(NOON / 1000),
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
  })

  test('the old names can be left out', () => {
    expect(Object.keys(headersOf([NEW], false)).filter((name) => name.includes('goblin'))).toEqual([])
  })

  test('the official library accepts them: ours, an older prefix secret, a plain one, and both during a rotation', () => {
    const now = Date.now()
    for (const secret of [NEW, OLD]) {
      expect(new Webhook(secret).verify(event.body, headersOf([secret], true, now))).toEqual({ π: 'é' })
      expect(new Webhook(secret).verify(event.body, headersOf([NEW, OLD], true, now))).toEqual({ π: 'é' })
    }
    const plain = new Webhook('just a text', { format: 'raw' })
    expect(plain.verify(event.body, headersOf(['just a text'], true, now))).toEqual({ π: 'é' })
    expect(() => new Webhook(OLD).verify(event.body, headersOf([NEW], true, now))).toThrow()
  })

  test.each(UNSOUND_SECRETS)('nothing is signed with %s', (_, secret) => {
    for (const secrets of [[secret], [NEW, secret]]) {
      expect(() => headersOf(secrets)).toThrow(RangeError)
      if (secret.length > 6) expect(() => headersOf(secrets)).not.toThrow(secret.slice(6))
    }
  })

  test('during a rotation the first secret signs the till’s own header', () => {
    expect(headersOf([NEW, OLD])['x-pay-signature']).toBe(paySignature(new Secret(NEW), event.body))
    expect(headersOf([NEW, OLD])['webhook-signature']?.split(' ')).toHaveLength(2)
  })
})

describe('the schedule', () => {
  test.each<{ failed_attempts: number; next_delay_secs: number | null }>(backoff.schedule)(
    'after $failed_attempts failed attempts: $next_delay_secs seconds',
    ({ failed_attempts, next_delay_secs }) => {
      expect(webhookRetryDelay(failed_attempts) ?? null).toBe(next_delay_secs)
    },
  )

  test('twelve attempts', () => expect(MAX_ATTEMPTS).toBe(backoff.max_attempts))
})

describe('causes', () => {
  test.each([
    [200, null, null],
    [204, null, null],
    [299, null, null],
    [500, null, 'HTTP 500'],
    [301, null, 'HTTP 301: redirects are not followed; set PAY_WEBHOOK_URL to the final address'],
    [410, null, 'HTTP 410: the receiver says this address is gone for good'],
    [100, null, 'HTTP 100'],
    [null, 'connect ECONNREFUSED', 'connect ECONNREFUSED'],
    [null, null, 'no answer'],
    [200, 'the answer broke off', 'the answer broke off'],
    [302, 'a redirect', 'HTTP 302: redirects are not followed; set PAY_WEBHOOK_URL to the final address'],
  ])('status %s, error %s: %s', (status, error, cause) => expect(causeOf(status, error, 1)).toBe(cause))

  test('a redirect of a further receiver names its own setting', () => {
    expect(causeOf(301, null, 3)).toBe(
      'HTTP 301: redirects are not followed; set PAY_WEBHOOK_3_URL to the final address',
    )
  })

  test('the operator is needed where waiting does not help', () => {
    expect([301, 308, 401, 404, 410].map((status) => needsOperator(status, null))).toEqual(Array(5).fill(true))
    expect([429, 500, 503].map((status) => needsOperator(status, null))).toEqual([false, false, false])
    expect(needsOperator(null, 'unable to verify the first certificate')).toBe(true)
    expect(needsOperator(null, 'connect ECONNREFUSED')).toBe(false)
  })
})
