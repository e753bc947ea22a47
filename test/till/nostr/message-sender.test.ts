// MessageSender: exactly one S2 whatever the relays do, in time, and remembered over a stop at any instant.
import { describe, expect, test } from 'vitest'
import { signEvent } from '../../../src/nostr/event/index.js'
import { envelopeVersionFor, openWrap } from '../../../src/nostr/gift-wrap/index.js'
import type { MessageDraft, Payment, TillStore } from '../../../src/till/index.js'
import { createMessageSender } from '../../../src/till/nostr/message-sender.js'
import type { Relays } from '../../../src/till/nostr/ports.js'
import { createRelayLists } from '../../../src/till/nostr/relay-lists.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { createFakeRelays } from '../../support/fake-relays.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'
import { quickTill } from '../../support/quick-stores.js'
import { aPayment, grin, HOUR, MINUTE, SECOND, WORKER } from '../../support/till-builders.js'

const [A, B, C] = ['wss://a.example', 'wss://b.example', 'wss://c.example']
const [payer, main, child, merchant] = [
  keyPairOf('payer'),
  keyPairOf('till'),
  keyPairOf('child'),
  keyPairOf('merchant'),
]
const REPLY: MessageDraft = { kind: 'reply', layout: 'plain' }
const random = seededRandom('letters')

interface Given {
  readonly messages?: readonly MessageDraft[]
  readonly payment?: Partial<Payment>
  readonly urls?: readonly string[]
}

async function given({ messages: drafts = [REPLY], payment: over = {}, urls = [A, B] }: Given = {}) {
  const store = quickTill()
  const clock = createFakeClock()
  const relays = createFakeRelays(urls)
  const payment = aPayment({ rail: 'nostr', payer: payer.pubkey, recipientPubkey: child.pubkey, ...over })
  await store.acceptPayment(payment, null, clock.now(), clock.now(), { messages: drafts })
  const log: string[] = []
  const write = (_: object, text: string) => void log.push(text)
  /** What a verb does instead, in the runs that start from now on. */
  const instead: Partial<TillStore> = {}
  /** A till that is started on this store; may be called again for the next run, which finds no lease. */
  const start = (posting: Pick<Relays, 'publish'> = relays) =>
    createMessageSender({
      store: { ...quickTill(store.db), ...instead },
      workerId: WORKER,
      clock,
      random,
      urls,
      relays: posting,
      relayLists: createRelayLists({ relays, urls, clock }),
      mainPubkey: main.pubkey,
      merchantPubkey: merchant.pubkey,
      findSecret: async (pubkey) => [main, child].find((one) => one.pubkey === pubkey)?.secret,
      log: { info: write, warn: write, error: write },
    })
  /** Time goes by, with a pass every five seconds. */
  async function live(ms: number, messages: { drain(): Promise<void> }) {
    for (let gone = 0; gone < ms; gone += 5 * SECOND) {
      await clock.advance(5 * SECOND)
      await messages.drain()
    }
  }
  const messageOfPayment = (kind: MessageDraft['kind'] = 'reply') => store.messageOfPayment(payment.id, kind)
  const settlement = async () => (await store.paymentById(payment.id))?.settlement
  return { store, instead, clock, relays, payment, messages: start(), start, live, log, messageOfPayment, settlement }
}

/** Publishes a relay list of this person. */
function listOf(who: typeof payer, tags: readonly (readonly string[])[], created_at = 1) {
  return signEvent({ kind: 10050, created_at, tags, content: '' }, who.secret, random)
}

/** A promise, and what ends it. */
function gate() {
  let open = () => {}
  const shut = new Promise<void>((resolve) => {
    open = resolve
  })
  return { shut, open: () => open() }
}

function read(event: Parameters<typeof openWrap>[0] | undefined, by: typeof payer) {
  if (!event) throw new Error('nothing came')
  const opened = openWrap(event, by.secret)
  if ('refusal' in opened) throw new Error(opened.refusal)
  return opened
}

const only = <T>(items: Iterable<T>): T => {
  const all = [...items]
  expect(all).toHaveLength(1)
  return all[0] as T
}

describe('a reply', () => {
  test('comes from the very key that was paid, in the layout wallets read', async () => {
    const { relays, messages, payment } = await given()
    await messages.drain()
    const { rumor, version } = read(only(relays.relay(A).events.values()), payer)
    expect(rumor).toMatchObject({
      pubkey: child.pubkey,
      kind: 14,
      tags: [
        ['goblin', '1'],
        ['p', payer.pubkey],
      ],
      content: `[Goblin] GRIN payment message — open in Goblin (https://goblin.st) to process.\n\n${payment.reply}`,
    })
    expect(version).toBe(2)
  })

  test('goes to every own relay; once all have it the payment is replied and the letter done', async () => {
    const { relays, messages, messageOfPayment, settlement } = await given()
    await messages.drain()
    expect(only(relays.relay(A).events.keys())).toBe(only(relays.relay(B).events.keys()))
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A, B], attempts: 1, wrap: null })
    expect(await settlement()).toBe('replied')
  })

  test('to a JSON wallet is the JSON it expects, in version 2 whatever its list says', async () => {
    const { relays, messages, payment } = await given({ messages: [{ kind: 'reply', layout: 'json' }] })
    const list = listOf(payer, [['encryption', 'nip44_v3 nip44_v2']])
    expect(envelopeVersionFor(list)).toBe(3)
    relays.relay(A).events.set(list.id, list)
    await messages.drain()
    const [wrap] = relays.relay(B).events.values()
    const { rumor, version } = read(wrap, payer)
    expect([JSON.parse(rumor.content), version]).toEqual([
      { type: 'grin-slatepack', v: 1, role: 'response', slateId: payment.id, slatepack: payment.reply },
      2,
    ])
  })
})

describe('the list of the payer', () => {
  test('decides the version and adds at most three relays that may be dialled', async () => {
    const { relays, messages } = await given()
    const named = ['ws://plain.example', 'wss://127.0.0.1', 'wss://A.example/', C, 'wss://d.example', 'wss://e.example']
    const urls = [...named, 'wss://f.example']
    const list = listOf(payer, [...urls.map((url) => ['relay', url]), ['encryption', 'nip44_v3 nip44_v2']])
    relays.relay(B).events.set(list.id, list)
    await messages.drain()
    const reached = relays.health().filter(({ url }) => relays.relay(url).published.length > 0)
    expect(reached.map(({ url }) => url)).toEqual([A, B, C, 'wss://d.example', 'wss://e.example'])
    expect(read(relays.relay(C).events.values().next().value, payer).version).toBe(3)
  })

  test('of another key counts for nothing', async () => {
    const { relays, messages } = await given()
    const list = listOf(merchant, [['relay', C]])
    relays.query = async () => [list]
    await messages.drain()
    expect(relays.relay(C).published).toEqual([])
  })
})

describe('relays that fail', () => {
  test('an hour without any relay, then exactly one S2', async () => {
    const { relays, messages, live, messageOfPayment, settlement } = await given()
    for (const url of [A, B]) relays.relay(url).up = false
    await live(HOUR, messages)
    expect(await messageOfPayment()).toMatchObject({ state: 'pending', acceptedBy: [] })
    expect(await settlement()).toBe('received')
    for (const url of [A, B]) relays.relay(url).up = true
    await live(15 * MINUTE, messages)
    expect(only(relays.relay(A).events.keys())).toBe(only(relays.relay(B).events.keys()))
    expect(relays.relay(A).published).toHaveLength(1)
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A, B] })
    expect(await settlement()).toBe('replied')
  })

  test('the tries follow the schedule: 15 s, 30 s, 60 s …', async () => {
    const { relays, messages, clock } = await given({ urls: [A] })
    relays.relay(A).refusal = 'blocked: no'
    const at: number[] = []
    for (let second = 0; second <= 300; second += 1) {
      const before = relays.relay(A).published.length
      await messages.drain()
      if (relays.relay(A).published.length > before) at.push(second)
      await clock.advance(SECOND)
    }
    expect(at).toEqual([0, 15, 45, 105, 225])
    expect(new Set(relays.relay(A).published).size).toBe(1)
  })

  test('only the relay that did not take it is asked again', async () => {
    const { relays, messages, live, messageOfPayment, settlement } = await given()
    relays.relay(B).up = false
    await messages.drain()
    expect(await messageOfPayment()).toMatchObject({ state: 'pending', acceptedBy: [A], attempts: 1 })
    expect((await messageOfPayment())?.lastError).toBe('b.example: not connected')
    expect(await settlement()).toBe('replied')
    relays.relay(B).up = true
    await live(MINUTE, messages)
    expect([relays.relay(A).published.length, relays.relay(B).published.length]).toEqual([1, 1])
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A, B] })
  })

  test('a relay that has it already counts as one that took it', async () => {
    const { relays, messages, messageOfPayment } = await given({ urls: [A] })
    relays.relay(A).refusal = 'duplicate: have it'
    await messages.drain()
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A] })
  })

  test('after a day the letter is given up, with one line in the log', async () => {
    const { relays, messages, messageOfPayment, store, payment, clock, log } = await given({ urls: [A] })
    relays.relay(A).up = false
    for (let tries = 0; tries < 200; tries += 1) {
      await messages.drain()
      const next = (await store.messageOfPayment(payment.id, 'reply'))?.nextAttemptAt
      if (next === null || next === undefined) break
      await clock.advance(next - clock.now())
    }
    expect(await messageOfPayment()).toMatchObject({ state: 'given-up', acceptedBy: [] })
    expect(log).toEqual([
      'letter not taken by any relay, will be tried again',
      'letter given up: no relay took it for a day',
    ])
  })

  test('once the kernel is seen the till does not wait for a relay that lags', async () => {
    const { relays, messages, live, messageOfPayment, store } = await given()
    relays.relay(B).up = false
    await messages.drain()
    store.db.run('UPDATE payment SET settlement = ?', ['seen'])
    await live(MINUTE, messages)
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A] })
  })

  test('queued anew after its kernel was seen, it is done with the first relay that takes it', async () => {
    const { relays, messages, messageOfPayment, store } = await given()
    store.db.run('UPDATE payment SET settlement = ?', ['mined'])
    relays.relay(B).up = false
    await messages.drain()
    await settled()
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A] })
  })
})

test('of a payment that was given up no reply is tried again', async () => {
  const { relays, messages, live, messageOfPayment, store } = await given({ urls: [A] })
  relays.relay(A).refusal = 'blocked: no'
  await messages.drain()
  store.db.run('UPDATE payment SET settlement = ?', ['abandoned'])
  await live(MINUTE, messages)
  expect(relays.relay(A).published).toHaveLength(1)
  expect((await messageOfPayment())?.state).toBe('given-up')
})

describe('a slow relay', () => {
  test('holds up neither the record of the first OK nor other letters', async () => {
    const slow = gate()
    const { relays, messages, messageOfPayment, settlement, store, clock } = await given()
    relays.relay(B).gate = slow.shut
    await messages.drain()
    expect(await messageOfPayment()).toMatchObject({ state: 'pending', acceptedBy: [A], attempts: 0 })
    expect(await settlement()).toBe('replied')
    for (let n = 0; n < 40; n += 1) {
      const other = aPayment({ rail: 'nostr', payer: payer.pubkey, recipientPubkey: child.pubkey })
      await store.acceptPayment(other, null, clock.now(), clock.now(), { messages: [REPLY] })
    }
    await messages.drain()
    expect(relays.relay(A).published).toHaveLength(41)
    slow.open()
    await settled()
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A, B], attempts: 1 })
  })

  test('at most sixteen letters wait for relays at a time', async () => {
    const slow = gate()
    const { relays, messages, store, clock } = await given({ urls: [A] })
    relays.relay(A).gate = slow.shut
    for (let n = 0; n < 40; n += 1) {
      const other = aPayment({ rail: 'nostr', payer: payer.pubkey, recipientPubkey: child.pubkey })
      await store.acceptPayment(other, null, clock.now(), clock.now(), { messages: [REPLY] })
    }
    const drained = messages.drain()
    for (let turn = 0; turn < 20; turn += 1) await settled()
    expect(relays.relay(A).published).toHaveLength(16)
    slow.open()
    await drained
    expect(relays.relay(A).published).toHaveLength(41)
  })
})

test('letters that only lag at a hanging relay take no room from a new one', async () => {
  const never = gate()
  const { relays, messages, store, clock } = await given()
  const payWith = async () => {
    const other = aPayment({ rail: 'nostr', payer: payer.pubkey, recipientPubkey: child.pubkey })
    await store.acceptPayment(other, null, clock.now(), clock.now(), { messages: [REPLY] })
  }
  relays.relay(B).up = false
  for (let n = 0; n < 20; n += 1) await payWith()
  await messages.drain()
  relays.relay(B).up = true
  relays.relay(B).gate = never.shut
  await clock.advance(15 * SECOND)
  void messages.drain()
  for (let turn = 0; turn < 20; turn += 1) await settled()
  expect(relays.relay(B).published.length).toBeGreaterThan(16)
  await payWith()
  messages.kick()
  for (let turn = 0; turn < 20; turn += 1) await settled()
  expect(relays.relay(A).published).toHaveLength(22)
})

describe('a stop at any instant', () => {
  test('between keeping the wrap and sending it: the next run sends that very wrap', async () => {
    const { relays, start, messageOfPayment } = await given()
    const never = new Promise<never>(() => {})
    void start({ publish: () => never }).drain()
    await settled()
    const kept = JSON.parse((await messageOfPayment())?.wrap ?? '{}')
    expect(kept.id).toMatch(/^[0-9a-f]{64}$/)
    await start().drain()
    expect([...relays.relay(A).events.keys()]).toEqual([kept.id])
  })

  test('what is sent is the wrap that the store keeps, also when another try was first to make one', async () => {
    const { relays, instead, start } = await given()
    const kept = listOf(payer, [])
    instead.keepWrap = async () => JSON.stringify(kept)
    await start().drain()
    expect([...relays.relay(A).events.keys()]).toEqual([kept.id])
  })

  test('after relays took it and before that was recorded: a repeat of the same wrap, never another', async () => {
    const { relays, start, instead, messageOfPayment } = await given()
    instead.recordPosting = async () => {
      throw new Error('killed')
    }
    await start()
      .drain()
      .catch(() => undefined)
    delete instead.recordPosting
    await start().drain()
    expect(relays.relay(A).published).toHaveLength(2)
    expect(relays.relay(A).events.size).toBe(1)
    expect(await messageOfPayment()).toMatchObject({ state: 'sent', acceptedBy: [A, B] })
  })

  test('after the first OK: the other relay gets it when the lease is over', async () => {
    const { relays, start, live } = await given()
    relays.relay(B).gate = new Promise(() => {})
    await start().drain()
    relays.relay(B).gate = undefined
    const next = start()
    await next.drain()
    expect(relays.relay(B).events.size).toBe(0)
    await live(65 * SECOND, next)
    expect([...relays.relay(B).events.keys()]).toEqual([...relays.relay(A).events.keys()])
    expect(relays.relay(A).published).toHaveLength(1)
  })

  test('after the first OK: that the other relay still refuses is not logged, least of all as a failed reply', async () => {
    const { relays, start, store, payment, clock, log } = await given()
    const partial = { acceptedBy: [A], error: null, nextAttemptAt: clock.now(), partial: true, by: WORKER }
    await store.recordPosting(payment.id, 'reply', partial)
    relays.relay(B).refusal = 'blocked: no'
    await start().drain()
    await settled()
    expect(relays.relay(B).published).toHaveLength(1)
    expect(log).toEqual([])
  })

  test('closing waits for what runs, but not for ever', async () => {
    const { messages, clock, relays } = await given({ urls: [A] })
    relays.relay(A).gate = new Promise(() => {})
    messages.kick()
    await settled()
    const closed = messages.close()
    await settled()
    await clock.advance(3 * SECOND)
    await closed
    expect(clock.sleepers()).toBe(0)
  })
})

describe('the same S1 again', () => {
  test('sends the stored S2 again to every relay', async () => {
    const { relays, messages, payment, messageOfPayment } = await given()
    await messages.drain()
    expect(await messages.requeue(payment.id, REPLY)).toBe('queued')
    await messages.drain()
    expect([relays.relay(A).published.length, relays.relay(B).published.length]).toEqual([2, 2])
    const contents = [...relays.relay(A).events.values()].map((wrap) => read(wrap, payer).rumor.content)
    expect(new Set(contents).size).toBe(1)
    expect(await messageOfPayment()).toMatchObject({ state: 'sent' })
  })

  test('while the first try waits for a relay: the new one starts at once and has the last word', async () => {
    const slow = gate()
    const { relays, messages, payment, messageOfPayment } = await given()
    relays.relay(B).gate = slow.shut
    await messages.drain()
    relays.relay(B).gate = undefined
    relays.relay(B).up = false
    await messages.requeue(payment.id, REPLY)
    await messages.drain()
    slow.open()
    await settled()
    expect(relays.relay(A).published).toHaveLength(2)
    expect(await messageOfPayment()).toMatchObject({ state: 'pending', acceptedBy: [A], attempts: 1 })
  })

  test('is answered even when the payment was given up', async () => {
    const { relays, messages, payment, store } = await given()
    await messages.drain()
    store.db.run('UPDATE payment SET settlement = ?', ['abandoned'])
    await messages.requeue(payment.id, REPLY)
    await messages.drain()
    expect(relays.relay(A).published).toHaveLength(2)
  })

  test('an unknown payment gets no reply', async () => {
    const { messages } = await given()
    expect(await messages.requeue('no-such-slate', REPLY)).toBe('unknown-payment')
  })
})

describe('notices', () => {
  const drafts: readonly MessageDraft[] = [
    { kind: 'thanks', layout: 'plain' },
    { kind: 'merchant-received', layout: 'plain' },
    REPLY,
  ]

  test('go after the S2: thanks from the key that was paid, the news to the merchant from the own key', async () => {
    const { relays, messages, payment } = await given({ messages: drafts, urls: [A], payment: { amount: grin(2.5) } })
    await messages.drain()
    const wraps = [...relays.relay(A).events.values()]
    expect(wraps.map(({ tags }) => tags[0]?.[1])).toEqual([payer.pubkey, payer.pubkey, merchant.pubkey])
    expect(read(wraps[0], payer).rumor.content).toContain(payment.reply)
    expect(read(wraps[1], payer).rumor).toMatchObject({
      pubkey: child.pubkey,
      tags: [['p', payer.pubkey]],
      content: '[grinpay] Payment of 2.5 GRIN received. Thank you.',
    })
    expect(read(wraps[2], merchant).rumor).toMatchObject({
      pubkey: main.pubkey,
      tags: [['p', merchant.pubkey]],
      content: `[grinpay] Received 2.5 GRIN (slate ${payment.id}).`,
    })
  })

  test('wait a minute for it and then go without', async () => {
    const { relays, messages, live, payment } = await given({ messages: drafts, urls: [A] })
    const { publish } = relays
    relays.publish = async (event, urls, ms) =>
      event.tags[0]?.[1] === merchant.pubkey
        ? publish(event, urls, ms)
        : urls.map((url) => ({ url, accepted: false, message: 'no' }))
    await live(50 * SECOND, messages)
    expect(relays.relay(A).published).toEqual([])
    await live(15 * SECOND, messages)
    expect(read(only(relays.relay(A).events.values()), merchant).rumor.content).toContain(payment.id)
  })

  test('go to the relay that lags however far the payment is', async () => {
    const confirmed: MessageDraft = { kind: 'merchant-confirmed', layout: 'plain' }
    const { relays, messages, live, store, messageOfPayment } = await given({ messages: [confirmed] })
    store.db.run('UPDATE payment SET settlement = ?', ['confirmed'])
    relays.relay(B).up = false
    await messages.drain()
    relays.relay(B).up = true
    await live(MINUTE, messages)
    expect(await messageOfPayment('merchant-confirmed')).toMatchObject({ state: 'sent', acceptedBy: [A, B] })
  })

  test('without anybody to tell are given up', async () => {
    const { messages, messageOfPayment } = await given({ messages: [REPLY], payment: { payer: null } })
    await messages.drain()
    expect(await messageOfPayment()).toMatchObject({ state: 'given-up', lastError: 'it has no recipient' })
  })

  test('to a key that is no point of the curve are given up, others go on', async () => {
    const { messages, messageOfPayment, relays, store, clock } = await given({ payment: { payer: 'f'.repeat(64) } })
    const other = aPayment({ rail: 'nostr', payer: payer.pubkey, recipientPubkey: child.pubkey })
    await store.acceptPayment(other, null, clock.now(), clock.now(), { messages: [REPLY] })
    await messages.drain()
    expect((await messageOfPayment())?.state).toBe('given-up')
    expect(relays.relay(A).events.size).toBe(1)
  })
})
