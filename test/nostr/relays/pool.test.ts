// The pool on real sockets against an honest relay.
import { afterEach, expect, test, vi } from 'vitest'
import { signEvent } from '../../../src/nostr/event/index.js'
import { systemRandom } from '../../../src/system/index.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { type PlainRelay, type PlainRelayOptions, startPlainRelay } from '../../support/plain-relay.js'
import { anyPubkey, aPool, fastClock, newKey, wrapTo } from '../../support/relay-pool.js'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function aRelay(options?: PlainRelayOptions): Promise<PlainRelay> {
  const relay = await startPlainRelay(options)
  cleanups.push(relay.close)
  return relay
}

function started(...parts: Parameters<typeof aPool>) {
  const till = aPool(...parts)
  cleanups.push(till.pool.close)
  till.pool.start()
  return till
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

test('mail to a watched key comes in', async () => {
  const relay = await aRelay()
  const { pool, main, wraps } = started({ urls: [relay.url] })
  pool.watch([main.pubkey], { known: true })
  await waitFor(() => expect(relay.watched()).toContain(main.pubkey))
  const wrap = wrapTo(main.pubkey)
  relay.store(wrap)
  await waitFor(() => expect(wraps).toEqual([wrap]))
})

test('mail that came before is fetched, however many pages and whatever the relay gives at most', async () => {
  const relay = await aRelay({ maxLimit: 40 })
  const { pool, wraps, childKey } = started({ urls: [relay.url] })
  const key = childKey().pubkey
  const stored = Array.from({ length: 130 }, (_, n) => wrapTo(key, `n${n}`, Math.floor(n / 3)))
  stored.forEach(relay.store)
  pool.watch([key], { known: true })
  await waitFor(() => expect(wraps.length).toBe(130))
  expect(new Set(wraps.map(({ id }) => id))).toEqual(new Set(stored.map(({ id }) => id)))
})

test('an unknown key fetches nothing', async () => {
  const relay = await aRelay()
  const { pool, childKey } = started({ urls: [relay.url] })
  await waitFor(() => expect(pool.health()[0]?.state).toBe('connected'))
  pool.watch([childKey().pubkey])
  await waitFor(() => expect(relay.requests.length).toBe(1))
  pool.watch([childKey().pubkey], { known: true })
  await waitFor(() => expect(relay.requests.map(({ sub }) => sub)).toEqual(['till-1', 'till-1', 'fill-0']))
})

test('what the inbox had to drop is fetched and passed on again, of watched keys only', async () => {
  const relay = await aRelay()
  const { pool, wraps, childKey } = started({ urls: [relay.url], clock: fastClock() })
  const [key, stranger] = [childKey().pubkey, childKey().pubkey]
  const wrap = wrapTo(key)
  relay.store(wrap)
  pool.watch([key], { known: true })
  await waitFor(() => expect(wraps).toEqual([wrap]))
  pool.refetch([stranger, key])
  await waitFor(() => expect(wraps).toEqual([wrap, wrap]))
  const asked = relay.requests.filter(({ sub }) => sub.startsWith('fill-'))
  expect(JSON.stringify(asked)).not.toContain(stranger)
})

test('a copy from a second relay is not passed on again, one with another signature is', async () => {
  const [one, two] = [await aRelay(), await aRelay()]
  const { pool, main, wraps } = started({ urls: [one.url, two.url] })
  pool.watch([main.pubkey])
  await waitFor(() => expect([one, two].every((relay) => relay.watched().has(main.pubkey))).toBe(true))
  const wrap = wrapTo(main.pubkey)
  one.store(wrap)
  two.store(wrap)
  await waitFor(() => expect(pool.health().map(({ received }) => received)).toEqual([1, 1]))
  expect(wraps).toEqual([wrap])
  two.store({ ...wrap, sig: 'f'.repeat(128) })
  await waitFor(() => expect(wraps.length).toBe(2))
})

test('settled means that a relay has the key', async () => {
  const relay = await aRelay()
  const { pool, childKey } = started({ urls: [relay.url] })
  await waitFor(() => expect(pool.health()[0]?.state).toBe('connected'))
  const keys = Array.from({ length: 5 }, () => childKey().pubkey)
  for (const key of keys) pool.watch([key])
  await pool.settled(5000)
  await waitFor(() => expect([...relay.watched()].sort()).toEqual([...keys].sort()))
  expect(relay.requests.length).toBe(2)
})

test('a connection that breaks comes back, with the mail of the time between', async () => {
  const relay = await aRelay()
  const { pool, main, wraps, texts } = started({ urls: [relay.url] })
  pool.watch([main.pubkey])
  await waitFor(() => expect(relay.watched().size).toBe(1))
  relay.cut()
  await waitFor(() => expect(pool.health()[0]?.state).toBe('waiting'))
  relay.store(wrapTo(main.pubkey))
  await waitFor(() => expect(wraps.length).toBe(1))
  expect(texts()).toEqual(['relay connected', 'relay lost, connecting again', 'relay is back'])
})

test('a relay that is away at the start is found later', async () => {
  const away = await startPlainRelay()
  await away.close()
  const { pool, main, texts } = started({ urls: [away.url] })
  pool.watch([main.pubkey])
  await waitFor(() => expect(texts()).toEqual(['relay not reachable, trying on']))
  expect(pool.health()[0]).toMatchObject({ state: 'waiting', subscribed: false })
  const relay = await aRelay({ port: away.port })
  await waitFor(() => expect(relay.watched().size).toBe(1))
  expect(texts().at(-1)).toBe('relay is back')
})

test('an event goes to own relays, and each says what it thinks', async () => {
  const [one, two] = [await aRelay(), await aRelay()]
  const { pool } = started({ urls: [one.url, two.url] })
  const wrap = wrapTo(newKey().pubkey)
  expect(await pool.publish(wrap, [one.url, `${two.url}/`, one.url], 5000)).toEqual([
    { url: one.url, accepted: true, message: '' },
    { url: `${two.url}/`, accepted: true, message: '' },
    { url: one.url, accepted: true, message: '' },
  ])
  expect([one.events, two.events]).toEqual([[wrap], [wrap]])
  const [again] = await pool.publish(wrap, [one.url], 5000)
  expect(again).toEqual({ url: one.url, accepted: true, message: 'duplicate: have this event' })
})

test('an event is sent once more after a relay wanted to know who writes', async () => {
  const relay = await aRelay({ auth: 'demand', writersAuthenticate: true })
  const { pool, main } = started({ urls: [relay.url] })
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), [relay.url], 5000)
  expect(posting).toMatchObject({ accepted: true })
  expect(relay.authenticated).toEqual([main.pubkey])
})

test('forbidden addresses are answered without dialling', async () => {
  const { pool } = started({ urls: [] })
  const urls = [
    'ws://relay.example',
    'wss://127.0.0.1:1',
    'wss://relay.local',
    'wss://u:p@relay.example',
    'http://x',
    '',
  ]
  const postings = await pool.publish(wrapTo(newKey().pubkey), urls, 1000)
  expect(postings.map(({ accepted, message }) => [accepted, message])).toEqual([
    [false, 'only wss:// is dialled for others'],
    [false, 'an address inside this network is never dialled for others'],
    [false, 'an address inside this network is never dialled for others'],
    [false, 'not a relay address'],
    [false, 'not a relay address'],
    [false, 'not a relay address'],
  ])
})

test('a question brings the newest events of all relays, each once', async () => {
  const [one, two] = [await aRelay(), await aRelay()]
  const { pool } = started({ urls: [one.url, two.url] })
  const payer = newKey()
  const list = (created_at: number) =>
    signEvent(
      { kind: 10_050, created_at, tags: [['relay', 'wss://relay.example']], content: '' },
      payer.secret,
      systemRandom,
    )
  const [older, newer] = [list(1000), list(2000)]
  one.store(older)
  two.store(older)
  two.store(newer)
  const found = await pool.query({ kinds: [10_050], authors: [payer.pubkey] }, [one.url, two.url], 5000)
  expect(found).toEqual([newer, older])
  await waitFor(() => expect(one.subscriptions()).toEqual([]))
})

test('many keys share few subscriptions, and a new one costs a short frame', async () => {
  const relay = await aRelay()
  const { pool, childKey } = started({ urls: [relay.url] })
  pool.watch(Array.from({ length: 10_000 }, (_, n) => anyPubkey(n)))
  await waitFor(() => expect(relay.watched().size).toBe(10_000))
  expect(relay.subscriptions().length).toBeLessThanOrEqual(10)
  expect(Math.max(...relay.requests.map(({ bytes }) => bytes))).toBeLessThan(110_000)
  await waitFor(() => expect(relay.requests.length).toBe(7 + 34))
  const before = relay.requests.length
  pool.watch([childKey().pubkey])
  await waitFor(() => expect(relay.watched().size).toBe(10_001))
  expect(relay.requests.slice(before).map(({ bytes }) => bytes)).toEqual([expect.toSatisfy((n: number) => n < 300)])
})

test('an address that is none is left out, the others work, and the same relay twice is one', async () => {
  const relay = await aRelay()
  const { pool, texts } = started({ urls: ['relay.example', relay.url, `${relay.url}/`] })
  await waitFor(() => expect(pool.health().map(({ state }) => state)).toEqual(['connected']))
  expect(texts()).toContain('not a relay address; left out')
})

test('closing leaves no timer behind, and can be done twice', async () => {
  const relay = await aRelay()
  const clock = createFakeClock()
  const { pool, main } = started({ urls: [relay.url], clock })
  pool.watch([main.pubkey], { known: true })
  await waitFor(() => expect(relay.watched().size).toBe(1))
  expect(clock.sleepers()).toBeGreaterThan(0)
  await pool.close()
  await pool.close()
  expect(clock.sleepers()).toBe(0)
  await waitFor(() => expect(relay.connections()).toBe(0))
})
