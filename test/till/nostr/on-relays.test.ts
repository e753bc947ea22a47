// The rail on real sockets, real time and two small relays. A test waits until something is so.
import { once } from 'node:events'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Secret } from '../../../src/lib/secret.js'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { openWrap } from '../../../src/nostr/gift-wrap/index.js'
import { createRelayPool } from '../../../src/nostr/relays/index.js'
import { createOpenWebSocket, systemClock, systemRandom } from '../../../src/system/index.js'
import { createNostrRail } from '../../../src/till/index.js'
import { aSlate, createFakeWallet } from '../../support/fake-wallet.js'
import { ANNA, paymentText, wrapOf } from '../../support/nostr-rail.js'
import { type PlainRelay, startPlainRelay } from '../../support/plain-relay.js'
import { quickTill } from '../../support/quick-stores.js'
import { grin, WORKER } from '../../support/till-builders.js'
import { MASTER, openTill } from '../../support/till-parts.js'

const identity = new Secret(MASTER)
const opened: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close()
})

const keep = <T extends { close(): Promise<unknown> }>(one: T): T => {
  opened.push(one)
  return one
}

/** Waits until something is so; at most the time that a test has. */
const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { interval: 5, timeout: 25_000 })

async function start(relays: readonly PlainRelay[], store = quickTill()) {
  const wallet = createFakeWallet()
  const common = { store, workerId: WORKER, wallet, identity, clock: systemClock, random: systemRandom }
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const rail = createNostrRail({
    ...common,
    log,
    settings: { relays: relays.map(({ url }) => url) },
    till: { accept: (offer) => till.accept(offer), voidPayment: (...args) => till.voidPayment(...args) },
    openRelays: (hooks) =>
      createRelayPool({ ...hooks, openSocket: createOpenWebSocket(), clock: systemClock, random: systemRandom, log }),
  })
  const { till } = openTill({ parts: { ...common, ...rail.seams } })
  keep(rail)
  await rail.start()
  // The own key and the reserve.
  await until(() => relays.every((relay) => relay.watched().size >= 65))
  return { rail, till, store, invoice: async () => (await till.createInvoice({ amountNanogrin: grin(2) })).invoice }
}

/** A wallet's connection: sends an event and waits for OK. */
async function payerOn({ url }: PlainRelay) {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  keep({
    close: async () => {
      socket.terminate()
    },
  })
  return async (event: NostrEvent) => {
    const answered = once(socket, 'message')
    socket.send(JSON.stringify(['EVENT', event]))
    await answered
  }
}

const wrapsTo = (relay: PlainRelay, pubkey: string) => relay.events.filter(({ tags }) => tags[0]?.[1] === pubkey)
const readByAnna = (wrap: NostrEvent | undefined) => {
  const message = wrap && openWrap(wrap, ANNA.secret)
  if (!message || 'refusal' in message) throw new Error('unreadable')
  return message.rumor
}

test('the S1 comes over one relay, the S2 is on both, once each', async () => {
  const [a, b] = [keep(await startPlainRelay()), keep(await startPlainRelay())]
  const { invoice, till } = await start([a, b])
  const { id, recipientPubkey } = await invoice()
  const send = await payerOn(b)
  await send(wrapOf({ content: paymentText(aSlate()), to: recipientPubkey, at: systemClock.now() }))
  await until(() => [a, b].every((relay) => wrapsTo(relay, ANNA.pubkey).length > 0))
  expect([a, b].map((relay) => wrapsTo(relay, ANNA.pubkey).length)).toEqual([1, 1])
  expect(readByAnna(wrapsTo(a, ANNA.pubkey)[0]).pubkey).toBe(recipientPubkey)
  expect((await till.findInvoice(id))?.status).toBe('paid')
})

test('in a burst of 300 invoices every key is subscribed to on both relays when its invoice is answered', async () => {
  const [a, b] = [keep(await startPlainRelay()), keep(await startPlainRelay())]
  const { invoice } = await start([a, b])
  const late: string[] = []
  await Promise.all(
    Array.from({ length: 300 }, async () => {
      const { recipientPubkey } = await invoice()
      // What was written to the sockets before the answer is read by the relays before their next turn ends.
      await new Promise((resolve) => setImmediate(resolve))
      for (const relay of [a, b]) if (!relay.watched().has(recipientPubkey)) late.push(recipientPubkey)
    }),
  )
  expect(late).toEqual([])
}, 30_000)

test('a relay that was away has the S2 soon after it is back, exactly once', async () => {
  const [a, b] = [keep(await startPlainRelay()), await startPlainRelay()]
  const { invoice, store } = await start([a, b])
  const { recipientPubkey } = await invoice()
  await b.close()
  const send = await payerOn(a)
  await send(wrapOf({ content: paymentText(aSlate()), to: recipientPubkey, at: systemClock.now() }))
  await until(() => wrapsTo(a, ANNA.pubkey).length > 0)
  const again = keep(await startPlainRelay({ port: b.port }))
  await until(() => wrapsTo(again, ANNA.pubkey).length > 0)
  await until(async () => (await store.messageBacklog()).pending === 0)
  expect(wrapsTo(again, ANNA.pubkey).map(({ id }) => id)).toEqual(wrapsTo(a, ANNA.pubkey).map(({ id }) => id))
}, 30_000)
