// What a stranger may send to a receiver of webhooks, and what a stranger may answer to the command line.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInvoicingClient, refusalOf } from '../../src/client/index.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { Secret } from '../../src/lib/secret.js'
import { webhookHeaders } from '../../src/till/webhooks/events.js'

const NOW = 1_767_268_800_000
const secret = new Secret(`whsec_${'5f'.repeat(32)}`)

test('every body we sign passes the check, and no other body or header does', () => {
  const signed = (body: string) =>
    webhookHeaders(
      { eventId: 'e'.repeat(32), type: 'payment.received', body },
      { secrets: [secret], compat: true, version: '1' },
      NOW,
    )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (body, more) => {
      const headers = signed(body)
      expect(refusalOf({ headers, body }, secret, NOW)).toBeUndefined()
      expect(refusalOf({ headers, body: body + more }, secret, NOW)).toBeDefined()
      expect(refusalOf({ headers, body }, new Secret(`${secret.reveal()}a`), NOW)).toBeDefined()
      expect(refusalOf({ headers, body }, secret, NOW + 301_000)).toBeDefined()
    }),
  )
})

test('any headers are refused with a reason', () => {
  const names = fc.constantFrom('x-pay-signature', 'webhook-id', 'webhook-timestamp', 'webhook-signature')
  const value = fc.oneof(
    fc.string(),
    fc.array(fc.string()),
    fc.constantFrom('sha256=', 'v1,', `v1,${'A'.repeat(43)}=`, String(NOW / 1000)),
  )
  fc.assert(
    fc.property(
      fc.dictionary(names, value),
      fc.string(),
      (headers, body) => typeof refusalOf({ headers, body }, secret, NOW) === 'string',
    ),
  )
})

test('whatever a server answers, the command line throws only errors of ours', async () => {
  const answers = fc.record({ status: fc.integer({ min: 100, max: 599 }), text: fc.oneof(fc.string(), fc.json()) })
  await fc.assert(
    fc.asyncProperty(answers, async (answer) => {
      const client = createInvoicingClient({
        baseUrl: 'http://127.0.0.1:1',
        apiToken: secret,
        adminToken: secret,
        transport: async () => answer,
      })
      const thrown = await client.invoice('x').then(
        () => undefined,
        (error: unknown) => error,
      )
      if (thrown !== undefined) expect(thrown).toBeInstanceOf(GrinpayError)
    }),
  )
})
