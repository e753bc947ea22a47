// Sending a reply again, and the messages that a confirmation makes.
import { expect, test } from 'vitest'
import type { TillSettings } from '../../../src/till/index.js'
import type { MessageQueue } from '../../../src/till/parts.js'
import { aPayment, NOON, SECOND } from '../../support/till-builders.js'
import { codeOf, openTill } from '../../support/till-parts.js'

type Queued = Parameters<MessageQueue['requeue']>

function given(settings: Partial<TillSettings> = {}) {
  const queued: Queued[] = []
  let kicks = 0
  const messages: MessageQueue = {
    kick() {
      kicks += 1
    },
    async requeue(...message) {
      queued.push(message)
      return 'queued'
    },
  }
  return { ...openTill({ settings, parts: { messages } }), queued, kicks: () => kicks }
}

test('the reply of a payment over Nostr is queued in the layout it had', async () => {
  const { till, store, queued } = given()
  const payment = aPayment({ rail: 'nostr', payer: 'a'.repeat(64), recipientPubkey: 'b'.repeat(64) })
  await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'json' }] })
  expect(await till.resendReply(payment.id)).toEqual(payment)
  expect(queued).toEqual([[payment.id, { kind: 'reply', layout: 'json' }]])
})

test('other rails hand their reply out elsewhere, and unknown payments have none', async () => {
  const { till, store, queued } = given()
  for (const rail of ['slatepack', 'grin1'] as const) {
    const payment = aPayment({ rail })
    await store.acceptPayment(payment, null, NOON, NOON)
    expect(await codeOf(till.resendReply(payment.id))).toBe('REPLY_NOT_BY_NOSTR')
  }
  expect(await codeOf(till.resendReply('no-such-payment'))).toBe('PAYMENT_NOT_FOUND')
  expect(queued).toEqual([])
})

test('without the Nostr rail nothing can be sent', async () => {
  const { till, store } = openTill()
  const payment = aPayment({ rail: 'nostr' })
  await store.acceptPayment(payment, null, NOON, NOON)
  expect(await codeOf(till.resendReply(payment.id))).toBe('IDENTITY_NOT_LOADED')
})

test('a confirmation owes the merchant a letter, and says so at once', async () => {
  const { till, store, chain, clock, kicks } = given({ notifyMerchant: true, merchantPubkey: 'c'.repeat(64) })
  const payment = aPayment()
  await store.acceptPayment(payment, null, NOON, NOON)
  chain.mine(payment, chain.height - 20)
  await clock.advance(SECOND)
  await till.passes.confirm()
  expect(await store.messageOfPayment(payment.id, 'merchant-confirmed')).toMatchObject({
    state: 'pending',
    nextAttemptAt: clock.now(),
  })
  expect(kicks()).toBe(1)
})

test('the status tells how many letters wait and since when', async () => {
  const { till, store, clock } = given()
  const payment = aPayment({ rail: 'nostr' })
  await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
  await clock.advance(7 * SECOND)
  expect(await till.status()).toMatchObject({ messages: { pending: 1, oldestSeconds: 7 }, relays: [], inbox: null })
})
