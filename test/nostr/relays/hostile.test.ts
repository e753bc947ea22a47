// Relays that lie, flood, hang or do not read: each harms itself only.
import { afterEach, expect, test, vi } from 'vitest'
import { createFakeClock } from '../../support/fake-clock.js'
import { type HostileConnection, type HostileScript, startHostileRelay } from '../../support/hostile-relay.js'
import { startPlainRelay } from '../../support/plain-relay.js'
import { aPool, newKey, wrapTo } from '../../support/relay-pool.js'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

type Script = (relay: HostileConnection, sub: string, pubkey: string) => void

/** A relay that does this at the first live REQ of each connection. */
async function aRelayThat(onRequest: Script, more: HostileScript = {}) {
  const relay = await startHostileRelay({
    heard(connection, verb, [sub, filter]) {
      const key = (filter as { '#p'?: string[] } | undefined)?.['#p']?.[0]
      if (verb === 'REQ' && key) onRequest(connection, String(sub), key)
    },
    ...more,
  })
  cleanups.push(relay.close)
  return relay
}

function started(parts: Parameters<typeof aPool>[0]) {
  const till = aPool(parts)
  cleanups.push(till.pool.close)
  till.pool.watch([till.main.pubkey])
  till.pool.start()
  return till
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

const LIES: readonly (readonly [string, (sub: string, key: string) => unknown])[] = [
  ['no JSON', () => '{"EVENT"'],
  ['no list', () => ({ EVENT: 1 })],
  ['an empty list', () => []],
  ['a subscription that is not open', (_, key) => ['EVENT', 'other', wrapTo(key)]],
  ['a key that is not watched', (sub) => ['EVENT', sub, wrapTo(newKey().pubkey)]],
  ['another kind', (sub, key) => ['EVENT', sub, { ...wrapTo(key), kind: 1 }]],
  ['a false id', (sub, key) => ['EVENT', sub, { ...wrapTo(key), content: 'other' }]],
  ['an unexpected EOSE', () => ['EOSE', 'other']],
]

test.each(LIES)('%s is blamed on the relay and goes no further', async (_, lie) => {
  const honest: unknown[] = []
  const relay = await aRelayThat((connection, sub, key) => {
    if (sub !== 'till-0') return
    connection.say(lie(sub, key))
    const wrap = wrapTo(key)
    honest.push(wrap)
    connection.say(['EVENT', sub, wrap])
  })
  const { pool, wraps } = started({ urls: [relay.url] })
  await waitFor(() => expect(wraps.length).toBe(1))
  expect(wraps).toEqual(honest)
  expect(pool.health()[0]).toMatchObject({ blamed: 1, received: 1, state: 'connected' })
})

const STRANGE: readonly (readonly [string, (sub: string, key: string) => unknown])[] = [
  ['a second addressee', (sub, key) => ['EVENT', sub, wrapTo(key, '', 0, [['p', newKey().pubkey]])]],
  ['an event that is none', (sub) => ['EVENT', sub, { id: 1 }]],
  ['an event that only just fitted into its relay', (sub, key) => ['EVENT', sub, wrapTo(key, 'x'.repeat(290_000))]],
  ['a message of a later time', () => ['NEG-MSG', 'x', '00']],
  ['an unexpected OK', () => ['OK', 'f'.repeat(64), true, '']],
]

test.each(STRANGE)('%s is dropped without blame: anybody could have sent it', async (_, strange) => {
  const relay = await aRelayThat((connection, sub, key) => {
    if (sub !== 'till-0') return
    connection.say(strange(sub, key))
    connection.say(['EVENT', sub, wrapTo(key)])
  })
  const { pool, wraps } = started({ urls: [relay.url] })
  await waitFor(() => expect(wraps.length).toBe(1))
  expect(pool.health()[0]?.blamed).toBe(0)
})

test('a relay that goes on lying is left alone for ten minutes, and then tried again', async () => {
  const clock = createFakeClock()
  const relay = await aRelayThat((connection, sub) => {
    for (let n = 0; n < 60; n++) connection.say(['EVENT', sub, wrapTo(newKey().pubkey)])
  })
  const { pool, texts } = started({ urls: [relay.url], clock })
  await waitFor(() => expect(pool.health()[0]?.state).toBe('shunned'))
  expect(texts()).toContain('relay misbehaves and is left alone for a while')
  await clock.advance(2000)
  await clock.advance(590_000)
  expect(relay.connections()).toBe(1)
  await clock.advance(10_000)
  await waitFor(() => expect(relay.connections()).toBe(2))
})

test('blame for forgeries adds up the same way', async () => {
  const relay = await startPlainRelay()
  cleanups.push(relay.close)
  const { pool } = started({ urls: [relay.url] })
  await waitFor(() => expect(pool.health()[0]?.state).toBe('connected'))
  for (let n = 0; n < 11; n++) pool.blame(`${relay.url}/`, 'forged signature')
  await waitFor(() => expect(pool.health()[0]?.state).toBe('shunned'))
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), [relay.url], 5000)
  expect(posting).toMatchObject({ accepted: false, message: 'not connected: shunned: forged signature' })
})

test('a frame over the cap ends the connection', async () => {
  const relay = await aRelayThat((connection) => connection.say('x'.repeat(600_000)))
  const { pool } = started({ urls: [relay.url] })
  await waitFor(() => expect(relay.connections()).toBe(2))
  expect(pool.health()[0]?.blamed).toBeGreaterThanOrEqual(1)
})

test('a question for stored mail that is never answered is given up after half a minute', async () => {
  const clock = createFakeClock()
  const relay = await aRelayThat(() => undefined)
  const { pool } = started({ urls: [relay.url], clock })
  await waitFor(() => expect(relay.heard.some(([, sub]) => sub === 'fill-0')).toBe(true))
  await clock.advance(31_000)
  expect(pool.health()[0]).toMatchObject({ blamed: 1, lastError: 'a question for stored mail was never answered' })
})

test('a connection that answers no pings is dead after the second', async () => {
  const clock = createFakeClock()
  const relay = await startHostileRelay({ autoPong: false })
  cleanups.push(relay.close)
  const { pool } = started({ urls: [relay.url], clock })
  await waitFor(() => expect(pool.health()[0]?.state).toBe('connected'))
  await clock.advance(25_000)
  expect(pool.health()[0]?.state).toBe('connected')
  await clock.advance(25_000)
  expect(pool.health()[0]).toMatchObject({ state: 'waiting', lastError: 'half-open: no answer to pings' })
  await clock.advance(1000)
  await waitFor(() => expect(relay.connections()).toBe(2))
})

test('thousands of challenges get ten answers', async () => {
  const relay = await startHostileRelay({
    connected({ say }) {
      for (let n = 0; n < 40; n++) say(['AUTH', `challenge ${n}`])
      for (let n = 0; n < 5; n++) say(['NOTICE', 'hello\u0007'])
    },
  })
  cleanups.push(relay.close)
  const { pool } = started({ urls: [relay.url] })
  await waitFor(() => expect(pool.health()[0]?.lastError).toBe('hello '))
  await waitFor(() => expect(relay.heard.filter(([verb]) => verb === 'AUTH').length).toBe(10))
  expect(pool.health()[0]?.blamed).toBe(30)
})

test('events after CLOSED go nowhere', async () => {
  const relay = await aRelayThat((connection, sub, key) => {
    if (sub !== 'till-0') return
    connection.say(['CLOSED', sub, 'error: shutting down idle subscription'])
    for (let n = 0; n < 5; n++) connection.say(['EVENT', sub, wrapTo(key)])
    connection.say(['NOTICE', 'end'])
  })
  const { pool, wraps } = started({ urls: [relay.url] })
  await waitFor(() => expect(pool.health()[0]?.lastError).toBe('end'))
  expect(wraps).toEqual([])
  expect(pool.health()[0]?.subscribed).toBe(false)
})

test('a flood of one relay does not hold up another', async () => {
  const FLOOD = 5000
  const junk = newKey().pubkey
  const one = wrapTo(junk)
  const flooder = await aRelayThat((connection, sub) => {
    for (let n = 0; n < FLOOD; n++) connection.say(['EVENT', sub, { ...one, sig: String(n).padStart(128, '0') }])
  })
  const honest = await startPlainRelay()
  cleanups.push(honest.close)
  const got: string[] = []
  const payment = wrapTo(junk, 'payment')
  let junkBefore = Infinity
  const till = aPool({
    urls: [honest.url, flooder.url],
    onWrap(wrap) {
      got.push(wrap.id)
      if (wrap.id === payment.id) junkBefore = got.length - 1
      if (got.length === 1) honest.store(payment)
      return true
    },
  })
  cleanups.push(till.pool.close)
  till.pool.watch([junk])
  till.pool.start()
  await waitFor(() => expect(junkBefore).toBeLessThan(FLOOD))
})

test('while the inbox has no room the relay is not read, and nothing is lost', async () => {
  const COUNT = 400
  let backlog = (): number => 0
  const relay = await aRelayThat((connection, sub, key) => {
    if (sub !== 'till-0') return
    const wrap = wrapTo(key, 'x'.repeat(60_000))
    backlog = () => connection.socket.bufferedAmount
    for (let n = 0; n < COUNT; n++) connection.say(['EVENT', sub, { ...wrap, sig: String(n).padStart(128, '0') }])
  })
  const got: string[] = []
  let room = false
  const { pool } = started({
    urls: [relay.url],
    onWrap(wrap) {
      if (room) got.push(wrap.sig)
      return room
    },
  })
  await waitFor(() => expect(backlog()).toBeGreaterThan(1_000_000))
  expect(pool.health()[0]?.received).toBe(0)
  room = true
  await waitFor(() => expect(got.length).toBe(COUNT))
  expect(got).toEqual([...got].sort())
})

test('a relay that does not read is cut off before it fills our memory', async () => {
  const relay = await aRelayThat((connection) => connection.tcp.pause())
  const { pool } = started({ urls: [relay.url] })
  await waitFor(() => expect(relay.heard.length).toBeGreaterThan(0))
  const big = wrapTo(newKey().pubkey, 'x'.repeat(120_000))
  const postings = Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      pool.publish({ ...big, id: n.toString(16).padStart(64, '0') }, [relay.url], 20_000),
    ),
  )
  const messages = new Set((await postings).flat().map(({ accepted, message }) => `${accepted}: ${message}`))
  expect(messages).toContain('false: it does not read what we send')
  expect(pool.health()[0]?.blamed).toBe(1)
})
