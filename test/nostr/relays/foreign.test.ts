// Relays of payers: names that only the test's resolver knows lead to relays on this machine.
import { afterEach, expect, test, vi } from 'vitest'
import type { OpenSocket } from '../../../src/nostr/relays/index.js'
import { createOpenWebSocket } from '../../../src/system/index.js'
import { startHostileRelay } from '../../support/hostile-relay.js'
import { type PlainRelayOptions, startPlainRelay } from '../../support/plain-relay.js'
import { aPool, fastClock, newKey, wrapTo } from '../../support/relay-pool.js'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

/** Leads every name to one address on this machine; `open` counts what stands. */
function leadingTo(url: string) {
  const dialled: string[] = []
  const standing = { now: 0, most: 0 }
  const open = createOpenWebSocket()
  const openSocket: OpenSocket = async (request, listener) => {
    expect(request.publicOnly).toBe(true)
    dialled.push(request.url)
    standing.most = Math.max(standing.most, ++standing.now)
    const socket = await open({ ...request, url, publicOnly: false }, listener)
    const terminate = () => {
      standing.now--
      socket.terminate()
    }
    return { ...socket, terminate }
  }
  return { openSocket, dialled, standing }
}

async function aPayersRelay(options?: PlainRelayOptions) {
  const relay = await startPlainRelay(options)
  cleanups.push(relay.close)
  const resolver = leadingTo(relay.url)
  const till = aPool({ urls: [], openSocket: resolver.openSocket, clock: fastClock() })
  cleanups.push(till.pool.close)
  till.pool.start()
  return { relay, ...resolver, ...till }
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 })

test('a payer’s relay is dialled, used again, and left when idle for half a minute', async () => {
  const { relay, pool, dialled } = await aPayersRelay()
  const wraps = [wrapTo(newKey().pubkey), wrapTo(newKey().pubkey)]
  for (const wrap of wraps)
    expect(await pool.publish(wrap, ['wss://payer.example/'], 40_000)).toEqual([
      { url: 'wss://payer.example/', accepted: true, message: '' },
    ])
  expect(relay.events).toEqual(wraps)
  expect(dialled).toEqual(['wss://payer.example'])
  await waitFor(() => expect(relay.connections()).toBe(0))
})

test('never more than sixteen are open, and all are served in the end', async () => {
  const { pool, standing } = await aPayersRelay()
  const wrap = wrapTo(newKey().pubkey)
  const urls = Array.from({ length: 60 }, (_, n) => `wss://relay-${n}.example`)
  const postings = await pool.publish(wrap, urls, 200_000)
  expect(postings.filter(({ accepted }) => accepted).length).toBe(60)
  expect(standing.most).toBe(16)
})

test('a payer’s relay that insists on authentication sees a throw-away key', async () => {
  const { relay, pool, main } = await aPayersRelay({ auth: 'connect', writersAuthenticate: true })
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 40_000)
  expect(posting?.accepted).toBe(true)
  expect(relay.authenticated.length).toBe(1)
  expect(relay.authenticated).not.toContain(main.pubkey)
})

test('a challenge alone is not answered', async () => {
  const { relay, pool } = await aPayersRelay({ auth: 'connect' })
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 40_000)
  expect(posting?.accepted).toBe(true)
  expect(relay.authenticated).toEqual([])
})

test('a relay that is not there differs from one that never answers', async () => {
  const gone = await startPlainRelay()
  await gone.close()
  const silent = await startHostileRelay()
  cleanups.push(silent.close)
  const outcome = async (url: string) => {
    const { pool } = aPool({ urls: [], openSocket: leadingTo(url).openSocket, clock: fastClock() })
    cleanups.push(pool.close)
    return (await pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 10_000))[0]
  }
  expect(await outcome(gone.url)).toMatchObject({ accepted: false, message: expect.stringContaining('ECONNREFUSED') })
  expect(await outcome(silent.url)).toMatchObject({ accepted: false, message: 'no answer within 10 s' })
})

test('a payer’s relay that talks nonsense is left', async () => {
  const relay = await startHostileRelay({
    connected({ say }) {
      for (let n = 0; n < 20; n++) say('nonsense')
    },
  })
  cleanups.push(relay.close)
  const { pool } = aPool({ urls: [], openSocket: leadingTo(relay.url).openSocket })
  cleanups.push(pool.close)
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 10_000)
  expect(posting).toMatchObject({ accepted: false, message: 'it misbehaves' })
})

/** Frames that are no fault of any kind: reading them all is work for a stranger. */
test('a payer’s relay that floods us with harmless messages is left after a megabyte of them', async () => {
  const said = { chars: 0 }
  const relay = await startHostileRelay({
    heard({ say }) {
      const frame = JSON.stringify(['COUNT', 'x'.repeat(15_000)])
      for (let n = 0; n < 200; n++) say(frame)
    },
  })
  cleanups.push(relay.close)
  const { openSocket } = leadingTo(relay.url)
  const listening: OpenSocket = (request, listener) =>
    openSocket(request, {
      ...listener,
      frame(text) {
        said.chars += text.length
        listener.frame(text)
      },
    })
  const { pool } = aPool({ urls: [], openSocket: listening })
  cleanups.push(pool.close)
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 10_000)
  expect(posting).toMatchObject({ accepted: false, message: 'it says too much' })
  // What the kernel had handed over already may follow, but not all of the three megabytes.
  expect(said.chars).toBeLessThan(2_000_000)
})

test('a payer’s relay that sends one long frame is cut off before it is read', async () => {
  const relay = await startHostileRelay({
    heard: ({ say }) => say(['NOTICE', 'x'.repeat(20_000)]),
  })
  cleanups.push(relay.close)
  const { pool } = aPool({ urls: [], openSocket: leadingTo(relay.url).openSocket })
  cleanups.push(pool.close)
  const [posting] = await pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 10_000)
  expect(posting).toMatchObject({ accepted: false, message: expect.stringContaining('Max payload size exceeded') })
})

test('closing answers who waits', async () => {
  const silent = await startHostileRelay()
  cleanups.push(silent.close)
  const { pool } = aPool({ urls: [], openSocket: leadingTo(silent.url).openSocket })
  const posting = pool.publish(wrapTo(newKey().pubkey), ['wss://payer.example'], 60_000)
  await waitFor(() => expect(silent.heard.length).toBe(1))
  await pool.close()
  expect(await posting).toEqual([{ url: 'wss://payer.example', accepted: false, message: 'closing' }])
})
