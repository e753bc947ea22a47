// The whole rail on a till of fakes: relays in memory, real envelopes and keys, a clock that stands still.
import { describe, expect, test } from 'vitest'
import { Secret } from '../../../src/lib/secret.js'
import { openWrap } from '../../../src/nostr/gift-wrap/index.js'
import { createNostrRail, type Invoice, type RelayHooks } from '../../../src/till/index.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { createFakeRelays } from '../../support/fake-relays.js'
import { aSlate, createFakeWallet } from '../../support/fake-wallet.js'
import { seededRandom } from '../../support/nostr.js'
import { ANNA, paymentText, wrapOf } from '../../support/nostr-rail.js'
import { quickTill } from '../../support/quick-stores.js'
import { anInvoice, aPayment, DAY, freshHex, grin, MINUTE, NOON, SECOND, WORKER } from '../../support/till-builders.js'
import { MASTER, openTill } from '../../support/till-parts.js'

const RELAY = 'wss://relay.example'
const identity = new Secret(MASTER)
let opened = 0

function open(store = quickTill()) {
  const [clock, wallet, relays] = [createFakeClock(), createFakeWallet(), createFakeRelays([RELAY])]
  opened += 1
  const random = seededRandom(`rail ${opened}`)
  const quiet = { info: () => {}, warn: () => {}, error: () => {} }
  let hooks: RelayHooks | undefined
  const rail = createNostrRail({
    store,
    workerId: WORKER,
    wallet,
    identity,
    clock,
    random,
    log: quiet,
    settings: { relays: ['wss://Relay.example/', RELAY] },
    till: {
      accept: (offer) => till.accept(offer),
      voidPayment: (...args) => till.voidPayment(...args),
    },
    openRelays(given) {
      hooks = given
      return relays
    },
  })
  const { till } = openTill({ parts: { store, clock, wallet, random, ...rail.seams } })
  async function rest() {
    for (let turn = 0; turn < 60; turn += 1) await settled()
  }
  return {
    store,
    clock,
    relays,
    rail,
    till,
    rest,
    hooks,
    /** A wrap comes in over the relay. */
    async receive(wrap: ReturnType<typeof wrapOf>) {
      expect(hooks?.onWrap(wrap, RELAY)).toBe(true)
      await rest()
    },
    invoice: async () => (await till.createInvoice({ amountNanogrin: grin(2) })).invoice,
    sent: () => [...relays.relay(RELAY).events.values()].filter(({ kind }) => kind === 1059),
  }
}

/** What the payer reads in the only message so far. */
function replyIn(wraps: readonly ReturnType<typeof wrapOf>[]) {
  expect(wraps).toHaveLength(1)
  const [wrap] = wraps
  const message = wrap && openWrap(wrap, ANNA.secret)
  if (!message || 'refusal' in message) throw new Error('unreadable')
  return message.rumor
}

test('an S1 in a gift wrap is answered with the S2 in a gift wrap, from the key that was paid', async () => {
  const { rail, invoice, receive, sent, till, store } = open()
  await rail.start()
  const { id, recipientPubkey } = await invoice()
  await receive(wrapOf({ content: paymentText(aSlate()), to: recipientPubkey }))
  const [payment] = (await store.listPayments({ limit: 5 })).items
  const rumor = replyIn(sent())
  expect(rumor.pubkey).toBe(recipientPubkey)
  expect(rumor.content).toContain(payment?.reply)
  expect(payment).toMatchObject({ settlement: 'replied', invoiceId: id })
  expect((await till.findInvoice(id))?.status).toBe('paid')
  expect((await till.status()).messages).toEqual({ pending: 0, oldestSeconds: null })
})

test('a stop after the S1 was accepted loses nothing: the next start sends the S2', async () => {
  const first = open()
  await first.rail.start()
  const { recipientPubkey } = await first.invoice()
  first.relays.relay(RELAY).up = false
  await first.receive(wrapOf({ content: paymentText(aSlate()), to: recipientPubkey }))
  const second = open(first.store)
  await second.clock.advance(MINUTE)
  await second.rail.start()
  await second.rest()
  expect(replyIn(second.sent()).pubkey).toBe(recipientPubkey)
})

test('the operator sends the reply again', async () => {
  const { rail, invoice, receive, sent, store, till, rest, relays } = open()
  await rail.start()
  await receive(wrapOf({ content: paymentText(aSlate()), to: (await invoice()).recipientPubkey }))
  const [payment] = (await store.listPayments({ limit: 5 })).items
  await till.resendReply(payment?.id ?? '')
  await rest()
  expect(sent()).toHaveLength(2)
  expect(relays.relay(RELAY).published).toHaveLength(2)
})

describe('what is listened to', () => {
  const WEEK = 7 * DAY
  const states: readonly (readonly [string, Partial<Invoice>, boolean])[] = [
    ['open', { status: 'open' }, true],
    ['paid', { status: 'paid' }, true],
    ['confirmed', { status: 'confirmed' }, false],
    ['expired a week ago', { status: 'expired', expiresAt: NOON - WEEK }, true],
    ['expired longer ago', { status: 'expired', expiresAt: NOON - WEEK - SECOND }, false],
    ['cancelled yesterday', { status: 'cancelled', createdAt: NOON - DAY }, true],
    ['cancelled long ago', { status: 'cancelled', createdAt: NOON - 2 * WEEK }, false],
    ['open in another mode', { status: 'open', matchMode: 'memo' }, false],
  ]

  test.each(states)('an invoice that is %s', async (_, over, isHeard) => {
    const { store, rail, relays, hooks } = open()
    const invoice = anInvoice({ recipientPubkey: freshHex(64), ...over })
    await store.insertInvoice(invoice, NOON)
    await rail.start()
    expect(relays.watched.get(invoice.recipientPubkey)).toBe(isHeard || undefined)
    expect(hooks?.secretOf(invoice.recipientPubkey) !== undefined).toBe(isHeard)
  })

  test('is filled before the relays connect, the own key first of all', async () => {
    const { rail, relays, hooks } = open()
    await rail.start()
    await settled()
    expect(relays.log.slice(0, 2)).toEqual(['watch 1', 'start'])
    expect(relays.watched.get(hooks?.mainPubkey ?? '')).toBe(true)
    expect(hooks?.urls).toEqual([RELAY])
  })

  test('the key of an invoice is in the relays’ hands before the shop gets the invoice', async () => {
    const { rail, relays, invoice } = open()
    await rail.start()
    await settled()
    for (let n = 0; n < 3; n += 1) {
      const { recipientPubkey } = await invoice()
      expect(relays.watched.get(recipientPubkey)).toBe(false)
    }
  })

  test('without any reserve the answer waits for the relays', async () => {
    const { rail, relays, invoice } = open()
    let ring = () => {}
    relays.bell = new Promise((resolve) => {
      ring = resolve
    })
    await rail.start()
    const answer = invoice()
    const first = await Promise.race([answer, settled().then(() => 'waiting')])
    expect(first).toBe('waiting')
    ring()
    expect(relays.watched.get((await answer).recipientPubkey)).toBe(false)
  })

  test('a user’s key, and the next one after a rotation, at once; the old one stays for an epoch', async () => {
    const { rail, relays, till, clock } = open()
    await rail.start()
    const [zero, one] = [await till.createUser('alice', null), await till.rotateUser('alice')]
    expect([relays.watched.get(zero.pubkey), relays.watched.get(one.pubkey)]).toEqual([false, false])
    const two = await till.rotateUser('alice')
    await clock.advance(15 * MINUTE)
    await rail.loops.find(({ name }) => name === 'rebuild the watch set')?.pass()
    expect([zero, one, two].map(({ pubkey }) => relays.watched.has(pubkey))).toEqual([false, true, true])
  })

  test('the key of an invoice that ended long ago is heard again with its new price, old mail included', async () => {
    const { rail, relays, till, clock } = open()
    await rail.start()
    const { invoice } = await till.createInvoice({ amountFiat: '1', currency: 'usd', expirySecs: 31_536_000 })
    await clock.advance(8 * DAY)
    expect((await till.findInvoice(invoice.id))?.status).toBe('expired')
    await rail.loops.find(({ name }) => name === 'rebuild the watch set')?.pass()
    expect(relays.watched.has(invoice.recipientPubkey)).toBe(false)
    await till.requote(invoice.token)
    expect(relays.watched.get(invoice.recipientPubkey)).toBe(true)
  })

  test('once a payment is confirmed its key is dropped with the next rebuild', async () => {
    const { rail, relays, invoice, store, clock } = open()
    await rail.start()
    const { id, recipientPubkey } = await invoice()
    store.db.run("UPDATE invoice SET status = 'confirmed' WHERE id = ?", [id])
    await clock.advance(15 * MINUTE)
    await rail.loops.find(({ name }) => name === 'rebuild the watch set')?.pass()
    expect(relays.watched.has(recipientPubkey)).toBe(false)
  })
})

test('the state tells relays and inbox', async () => {
  const { rail, receive, invoice, till } = open()
  await rail.start()
  await receive(wrapOf({ content: 'good morning', to: (await invoice()).recipientPubkey }))
  expect(rail.state()).toMatchObject({
    relays: [{ url: RELAY, state: 'connected' }],
    inbox: { waiting: 0, retrying: 0, dropped: 0, outcomes: { ignored: 1, received: 0 } },
  })
  expect(await till.status()).toMatchObject(rail.state())
})

test('marks of wraps are forgotten after four days', async () => {
  const { rail, store, clock } = open()
  await store.markSeen(['aa'.repeat(32)], NOON)
  await clock.advance(4 * DAY)
  const pass = rail.loops.find(({ name }) => name === 'forget old messages')?.pass
  await pass?.()
  expect((await store.seenOf(['aa'.repeat(32)])).size).toBe(1)
  await clock.advance(SECOND)
  await pass?.()
  expect((await store.seenOf(['aa'.repeat(32)])).size).toBe(0)
})

test('a stop ends everything and disconnects last', async () => {
  const { rail, relays, store, clock } = open()
  await rail.start()
  const payment = aPayment({ rail: 'nostr', payer: ANNA.pubkey, recipientPubkey: freshHex(64) })
  await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
  await rail.close()
  expect(relays.log.at(-1)).toBe('close')
  rail.seams.messages.kick()
  await settled()
  expect(relays.relay(RELAY).published).toEqual([])
  expect(clock.sleepers()).toBe(0)
})
