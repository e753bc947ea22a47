// The listener for an onion service, of the relay and of the name authority: whatever a client writes into a header there, its address is tor's.
import { afterEach, expect, test } from 'vitest'
import { createTorListener } from '../../src/daemons/parts/tor-listener.js'
import { createWebPart } from '../../src/daemons/parts/web.js'
import { createDaemon } from '../../src/daemons/runtime.js'
import { createApp } from '../../src/http/index.js'
import { createKeptLog } from '../support/kept-log.js'
import { nameDaemon } from '../support/name-daemon.js'
import { type RelayClient, relayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { countingRandom, stillClock } from '../support/till-app.js'
import { freePort } from '../support/till-process.js'

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const spoofed = (n: number) => ({ 'x-real-ip': `203.0.113.${n}`, 'x-forwarded-for': `203.0.113.${n}` })

async function addressSeen(base: string, path: string, n: number): Promise<unknown> {
  const answer = await fetch(`${base}${path}`, { headers: spoofed(n) })
  return ((await answer.json()) as { address: unknown }).address
}

async function aRelay() {
  const port = await freePort()
  const relay = await relayDaemon(
    `[network]\ntor_bind = "127.0.0.1:${port}"\n[limits]\nmax_connections_per_address = 2\n`,
  )
  cleanups.push(relay.close)
  await relay.daemon.start()
  return { ...relay, tor: `http://127.0.0.1:${port}` }
}

/** How many of five websockets with different headers are let in. */
async function letIn(base: string): Promise<number> {
  const clients: RelayClient[] = []
  for (let n = 1; n <= 5; n += 1)
    await relayClient(base.replace('http', 'ws'), { headers: spoofed(n) }).then(
      (client) => clients.push(client),
      () => undefined,
    )
  for (const client of clients) client.close()
  return clients.length
}

test('a relay counts all clients of tor as one address, whatever they write into a header', async () => {
  const { daemon, tor } = await aRelay()
  expect(await addressSeen(tor, '/health/client', 9)).toBe('127.0.0.1')
  expect(await addressSeen(daemon.address(), '/health/client', 9)).toBe('203.0.113.9')
  expect(await letIn(tor)).toBe(2)
  expect(await letIn(daemon.address())).toBe(5)
})

test('it serves there what it serves elsewhere, and stops with clients on both', async () => {
  const { daemon, tor } = await aRelay()
  const client = await relayClient(tor.replace('http', 'ws'))
  client.send(['REQ', 'all', {}])
  expect((await client.until('EOSE')).at(-1)).toEqual(['EOSE', 'all'])
  expect((await fetch(tor, { headers: { accept: 'application/nostr+json' } })).status).toBe(200)
  await daemon.stop()
  expect(await client.ended).toBe(1001)
  await expect(fetch(`${tor}/health`)).rejects.toThrow()
})

test('a request that runs when the daemon stops gets its answer', async () => {
  const port = await freePort()
  const app = createApp({ clock: stillClock(), random: countingRandom() })
  let finish = () => {}
  const work = new Promise<void>((resolve) => {
    finish = resolve
  })
  let asked = () => {}
  const arrived = new Promise<void>((resolve) => {
    asked = resolve
  })
  app.get('/slow', async () => {
    asked()
    await work
    return 'done'
  })
  const web = createWebPart({ app, host: '127.0.0.1', port: 0 })
  const tor = createTorListener({ app, bind: { host: '127.0.0.1', port } })
  const daemon = createDaemon([web, tor], createKeptLog())
  cleanups.push(daemon.stop)
  await daemon.start()
  const answer = fetch(`http://127.0.0.1:${port}/slow`).then((response) => response.text())
  await arrived
  const stopped = daemon.stop()
  setTimeout(finish, 200)
  expect(await answer).toBe('done')
  await stopped
})

test('a taken port keeps it from starting, and is named', async () => {
  const { tor } = await aRelay()
  const other = await relayDaemon(`[network]\ntor_bind = "${new URL(tor).host}"\n`)
  cleanups.push(other.close)
  await expect(other.daemon.start()).rejects.toMatchObject({ code: 'ADDRESS_IN_USE' })
})

test('limits of the name authority per address hold there', async () => {
  const port = await freePort()
  const names = await nameDaemon({ NAMEAUTH_TOR_BIND: `127.0.0.1:${port}`, NAMEAUTH_READ_RATE_MAX: '3' })
  cleanups.push(names.close)
  await names.daemon.start()
  const statuses = async (base: string) => {
    const answers: number[] = []
    for (let n = 1; n <= 5; n += 1)
      answers.push((await fetch(`${base}/api/v1/name/four`, { headers: spoofed(n) })).status)
    return answers
  }
  expect(await statuses(names.daemon.address())).toEqual([200, 200, 200, 200, 200])
  expect(await statuses(`http://127.0.0.1:${port}`)).toEqual([200, 200, 200, 429, 429])
})
