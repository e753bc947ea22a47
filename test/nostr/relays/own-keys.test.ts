// NIP-42 on own relays: the main key, and one-time keys where mail is given to its addressee only.
import { afterEach, expect, test, vi } from 'vitest'
import { type PlainRelayOptions, startPlainRelay } from '../../support/plain-relay.js'
import { aPool, fastClock, newKey, wrapTo } from '../../support/relay-pool.js'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function aTillAt(options: PlainRelayOptions) {
  const relay = await startPlainRelay(options)
  cleanups.push(relay.close)
  const till = aPool({ urls: [relay.url], clock: fastClock() })
  cleanups.push(till.pool.close)
  return { relay, ...till, verdict: () => till.pool.health()[0]?.oneTimeKeys }
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 20 })

test('the main key answers a challenge, and subscriptions that were refused before are sent again', async () => {
  const { relay, pool, main, wraps } = await aTillAt({ auth: 'demand', gate: 'closed' })
  const wrap = wrapTo(main.pubkey)
  relay.store(wrap)
  pool.watch([main.pubkey], { known: true })
  pool.start()
  await waitFor(() => expect(wraps).toEqual([wrap]))
  expect(relay.authenticated).toEqual([main.pubkey])
  await waitFor(() => expect(pool.health()[0]).toMatchObject({ challenges: true, subscribed: true }))
})

test('a relay that asks who reads but hides nothing is recognised by a letter to ourselves', async () => {
  const { pool, main, verdict, relay } = await aTillAt({ auth: 'connect' })
  pool.watch([main.pubkey])
  pool.start()
  await waitFor(() => expect(verdict()).toBe('served'))
  expect(relay.events.length).toBe(1)
  expect(relay.connections()).toBe(1)
})

test.each(['closed', 'silent'] as const)(
  'a relay that gives mail to its addressee only (%s) gets a connection per one-time key',
  async (gate) => {
    const { relay, pool, main, wraps, childKey, verdict, texts } = await aTillAt({ auth: 'connect', gate })
    const children = Array.from({ length: 3 }, () => childKey().pubkey)
    pool.watch([main.pubkey, ...children], { known: true })
    pool.start()
    await waitFor(() => expect(verdict()).toBe('per-connection'))
    await waitFor(() => expect(relay.connections()).toBe(4))
    await waitFor(() => expect([...relay.authenticated].sort()).toEqual([main.pubkey, ...children].sort()))
    const letters = [main.pubkey, ...children].map((key) => wrapTo(key))
    letters.forEach(relay.store)
    await waitFor(() => expect(wraps.length).toBe(4))
    expect(texts().filter((text) => text.includes('only to its addressee')).length).toBe(1)
    pool.unwatch(children.slice(0, 1))
    await waitFor(() => expect(relay.connections()).toBe(3))
  },
)

test('at most forty one-time keys get a connection, the oldest first', async () => {
  const { relay, pool, main, childKey } = await aTillAt({ auth: 'connect', gate: 'closed' })
  const children = Array.from({ length: 45 }, () => childKey().pubkey)
  pool.watch([main.pubkey, ...children])
  pool.start()
  await waitFor(() => expect(relay.connections()).toBe(41))
  await waitFor(() => expect(relay.watched()).toEqual(new Set([main.pubkey, ...children.slice(0, 40)])))
})

test('where not even the main key is served, no further connections are opened', async () => {
  const { relay, pool, main, childKey, verdict } = await aTillAt({ auth: 'connect', gate: 'closed' })
  pool.watch([newKey().pubkey, childKey().pubkey])
  pool.watch([main.pubkey])
  relay.refuseAll('restricted: members only')
  pool.start()
  await waitFor(() => expect(pool.health()[0]?.lastError).toBe('restricted: members only'))
  expect([verdict(), relay.connections()]).toEqual(['unknown', 1])
})
