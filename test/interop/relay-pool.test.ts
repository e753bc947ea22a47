// The relay pool against a relay that was not written for it.
import { afterEach, describe, expect, test, vi } from 'vitest'
import WebSocket from 'ws'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { systemRandom } from '../../src/system/index.js'
import { missingRelay, type RealRelay, type RelayLimits, startRealRelay } from '../support/nostr-relay.js'
import { anyPubkey, aPool, newKey, wrapTo } from '../support/relay-pool.js'

const missing = missingRelay()
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function aRelay(limits?: RelayLimits): Promise<RealRelay> {
  const relay = await startRealRelay(limits)
  cleanups.push(relay.clean)
  return relay
}

function started(relay: RealRelay) {
  const till = aPool({ urls: [relay.url] })
  cleanups.push(till.pool.close)
  till.pool.start()
  return till
}

const waitFor = (check: () => void, timeout = 30_000) => vi.waitFor(check, { timeout, interval: 20 })

/** Events of others, over a connection of their own; resolves when the relay has said OK to all. */
async function stored(relay: RealRelay, events: readonly NostrEvent[]): Promise<void> {
  const socket = new WebSocket(relay.url)
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const taken = new Set<string>()
  const all = new Promise<void>((resolve) =>
    socket.on('message', (data) => {
      const [type, id, accepted] = JSON.parse(String(data)) as readonly [string, string, boolean]
      if (type === 'OK' && accepted) taken.add(id)
      if (taken.size === events.length) resolve()
    }),
  )
  for (const event of events) socket.send(JSON.stringify(['EVENT', event]))
  await all
  socket.close()
}

describe.skipIf(missing)(`the relay pool on nostr-rs-relay${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('mail comes in, events go out, questions are answered', async () => {
    const relay = await aRelay()
    const { pool, main, wraps } = started(relay)
    pool.watch([main.pubkey], { known: true })
    await waitFor(() => expect(pool.health()[0]).toMatchObject({ state: 'connected', subscribed: true }))
    const wrap = wrapTo(main.pubkey)
    expect(await pool.publish(wrap, [relay.url], 5000)).toMatchObject([{ accepted: true }])
    await waitFor(() => expect(wraps).toEqual([wrap]))
    expect(await pool.publish(wrap, [relay.url], 5000)).toMatchObject([{ accepted: true }])
    const payer = newKey()
    const template = { kind: 10_050, created_at: 1_782_907_200, tags: [['relay', relay.url]], content: '' }
    const list = signEvent(template, payer.secret, systemRandom)
    await stored(relay, [list])
    expect(await pool.query({ kinds: [10_050], authors: [payer.pubkey] }, [relay.url], 5000)).toEqual([list])
  })

  test('stored mail is fetched over several pages, and none of it twice', async () => {
    const relay = await aRelay()
    const { pool, wraps, childKey } = started(relay)
    const key = childKey().pubkey
    const letters = Array.from({ length: 1200 }, (_, n) => wrapTo(key, `n${n}`, n))
    await stored(relay, letters)
    pool.watch([key], { known: true })
    await waitFor(() => expect(wraps.length).toBe(letters.length))
    expect(new Set(wraps.map(({ id }) => id)).size).toBe(letters.length)
  })

  test('among a thousand watched keys a new one is heard at once', async () => {
    const relay = await aRelay()
    const { pool, wraps, childKey } = started(relay)
    pool.watch(Array.from({ length: 1000 }, (_, n) => anyPubkey(n + 1)))
    await waitFor(() => expect(pool.health()[0]).toMatchObject({ subscribed: true }))
    const key = childKey().pubkey
    pool.watch([key])
    await pool.settled(5000)
    const wrap = wrapTo(key)
    await stored(relay, [wrap])
    await waitFor(() => expect(wraps).toEqual([wrap]))
  })

  test('a relay that died comes back with the mail of the time between', async () => {
    const relay = await aRelay()
    const { pool, main, wraps } = started(relay)
    pool.watch([main.pubkey], { known: true })
    await waitFor(() => expect(pool.health()[0]).toMatchObject({ subscribed: true }))
    await relay.stop()
    await waitFor(() => expect(pool.health()[0]?.state).not.toBe('connected'))
    await relay.start()
    const wrap = wrapTo(main.pubkey)
    await stored(relay, [wrap])
    await waitFor(() => expect(wraps).toEqual([wrap]), 60_000)
  })

  test('its challenge is answered as the main key', async () => {
    const relay = await aRelay({ challenges: true })
    const { pool, main } = started(relay)
    pool.watch([main.pubkey], { known: true })
    await waitFor(() => expect(relay.output()).toContain('client is authenticated'))
    expect(relay.output()).toContain(main.pubkey.slice(0, 8))
    await waitFor(() => expect(pool.health()[0]).toMatchObject({ challenges: true, subscribed: true }))
  })
})
