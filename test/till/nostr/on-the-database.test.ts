// MessageSender on the real database: what a stop leaves behind is what the next start sends.
import { expect, test } from 'vitest'
import { openWrap } from '../../../src/nostr/gift-wrap/index.js'
import { openTillStore } from '../../../src/storage/index.js'
import type { TillStore } from '../../../src/till/index.js'
import { createMessageSender } from '../../../src/till/nostr/message-sender.js'
import { createRelayLists } from '../../../src/till/nostr/relay-lists.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { createFakeRelays, type FakeRelays } from '../../support/fake-relays.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'
import { openTemporaryStore, WALLET } from '../../support/temporary-store.js'
import { aPayment, NOON, WORKER } from '../../support/till-builders.js'

const URL = 'wss://a.example'
const [payer, child, main] = [keyPairOf('payer'), keyPairOf('child'), keyPairOf('till')]

const messagesOn = (store: TillStore, relays: FakeRelays) => {
  const clock = createFakeClock()
  return createMessageSender({
    store,
    workerId: WORKER,
    relays,
    clock,
    relayLists: createRelayLists({ relays, urls: [URL], clock }),
    urls: [URL],
    mainPubkey: main.pubkey,
    findSecret: async () => child.secret,
    random: seededRandom('database'),
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
}

test('a wrap that was kept and never sent is sent after the next start, byte for byte, once', async () => {
  const { store, path, remove } = await openTemporaryStore()
  const payment = aPayment({ rail: 'nostr', payer: payer.pubkey, recipientPubkey: child.pubkey })
  await store.acceptPayment(payment, null, NOON, NOON, { messages: [{ kind: 'reply', layout: 'plain' }] })
  const silent = createFakeRelays([URL])
  silent.relay(URL).gate = new Promise(() => {})
  messagesOn(store, silent).kick()
  while (silent.relay(URL).published.length === 0) await settled()
  const kept = (await store.messageOfPayment(payment.id, 'reply'))?.wrap
  await store.close()

  const again = await openTillStore({ path, ...WALLET })
  const relays = createFakeRelays([URL])
  await messagesOn(again, relays).drain()
  await messagesOn(again, relays).drain()
  const sent = [...relays.relay(URL).events.values()]
  expect(sent.map((wrap) => JSON.stringify(wrap))).toEqual([kept])
  expect(relays.relay(URL).published).toHaveLength(1)
  expect(sent[0] && openWrap(sent[0], payer.secret)).toMatchObject({ rumor: { pubkey: child.pubkey } })
  expect(await again.messageOfPayment(payment.id, 'reply')).toMatchObject({
    state: 'sent',
    acceptedBy: [URL],
    wrap: null,
  })
  expect((await again.paymentById(payment.id))?.settlement).toBe('replied')
  await again.close()
  await remove()
})
