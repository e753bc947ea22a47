// The composition of the name authority: it starts, answers, tells how its parts are, and stops.

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { openTillStore } from '../../src/storage/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { serving } from '../support/local-server.js'
import { nameDaemon } from '../support/name-daemon.js'
import { keyPairOf } from '../support/nostr.js'
import { WALLET } from '../support/temporary-store.js'
import { codeOf } from '../support/vectors.js'

const alice = keyPairOf('alice')
const bob = keyPairOf('bob')

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function started(settings?: Readonly<Record<string, string>>) {
  const names = await nameDaemon(settings)
  cleanups.push(names.close)
  await names.daemon.start()
  return names
}

const SALE = (url: string) => ({
  NAMEAUTH_PAY_MODE: 'name',
  NAMEAUTH_NAME_PRICE_GRIN: '1.5',
  NAMEAUTH_PAY_URL: url,
  NAMEAUTH_PAY_TOKEN: 'pay_live_xxxxxxxx',
})

test('a started authority answers, and a stopped one does not', async () => {
  const { daemon, get } = await started()
  const address = daemon.address()
  expect(await (await get('/api/v1/health')).text()).toBe('ok')
  expect(await (await get('/.well-known/nostr.json?name=nobody')).json()).toEqual({ names: {}, relays: {} })
  await daemon.stop()
  await expect(fetch(`${address}/api/v1/health`)).rejects.toThrow()
})

test('a connection that was opened and never used does not hold up the stop', async () => {
  const { daemon, logMessages } = await started()
  const { hostname, port } = new URL(daemon.address())
  const unused = connect(Number(port), hostname)
  const hungUp = once(
    unused.resume().on('error', () => undefined),
    'close',
  )
  await once(unused, 'connect')
  await (await fetch(`${daemon.address()}/api/v1/health`)).text() // the server has seen both by now
  await daemon.stop()
  await hungUp
  expect(logMessages()).not.toContain('part did not stop cleanly') // as it would after 10 s
})

test('it has the settings it was given', async () => {
  const { daemon, get } = await started({ NAMEAUTH_NAME_MIN: '5', NAMEAUTH_READ_RATE_MAX: '2' })
  expect(daemon.authority.settings).toMatchObject({ domain: 'names.example', nameMin: 5, sale: undefined })
  expect(await (await get('/api/v1/name/four')).json()).toMatchObject({ available: false, reason: 'invalid' })
  const limited = [await get('/api/v1/name/four'), await get('/api/v1/name/four')].map(({ status }) => status)
  expect(limited).toEqual([200, 429])
})

test('transfers have routes only when they are on', async () => {
  const offer = '/api/v1/transfer/offer'
  const off = await started()
  const missing = await off.get(`${offer}/${'0'.repeat(64)}`)
  expect(await missing.json()).toMatchObject({ error: 'not found' })
  const on = await started({ NAMEAUTH_TRANSFERS: 'on', NAMEAUTH_GRIN_NODE_URL: 'http://127.0.0.1:9/v2/foreign' })
  const lodged = await fetch(`${on.daemon.address()}${offer}`, { method: 'POST', body: '{}' })
  expect([missing.status, lodged.status]).toEqual([404, 401])
})

describe('readiness', () => {
  test('is that the database can be written', async () => {
    const { get } = await started()
    const answer = await get('/ready')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ ready: true, checks: [{ name: 'database', status: 'ok' }] })
  })

  test('a till that is down is logged, and the daemon stays ready', async () => {
    const { daemon, get, logMessages } = await started(SALE('http://127.0.0.1:9'))
    await expect(daemon.authority.paid.requireName('a'.repeat(64))).rejects.toMatchObject({
      code: 'PAYMENT_BACKEND_UNAVAILABLE',
    })
    const answer = await get('/ready')
    expect(answer.status).toBe(200)
    expect((await answer.json()).checks).toMatchObject([
      { name: 'database', status: 'ok' },
      { name: 'payments', status: 'failed' },
    ])
    expect(logMessages()).toContain('the till that makes the invoices does not answer as it should')
  })
})

describe('readiness of a sale', () => {
  /** A till that answers every request so, after a look at it. */
  const tillThat = (status: number, answer: object, look: (request: IncomingMessage) => void = () => undefined) =>
    serving((request, response) => {
      look(request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
    })

  test('is an authenticated read, which makes no invoice', async () => {
    const asked: unknown[] = []
    const url = await tillThat(404, { error: 'not found', code: 'INVOICE_NOT_FOUND' }, ({ method, headers }) =>
      asked.push([method, headers.authorization]),
    )
    const { get } = await started(SALE(url))
    expect((await get('/ready')).status).toBe(200)
    expect(asked).toEqual([['GET', 'Bearer pay_live_xxxxxxxx']])
  })

  test.each([
    [401, { error: 'unauthorized' }, 'the till refuses the API token', 'NAMEAUTH_PAY_TOKEN_FILE'],
    [403, { error: 'no' }, 'the till refuses the API token', 'NAMEAUTH_PAY_TOKEN_FILE'],
    [
      503,
      { error: 'api token not configured', code: 'TOKEN_NOT_CONFIGURED' },
      'the till has no API token and takes no orders',
      'PAY_API_TOKEN',
    ],
  ])('a till that refuses the token makes it unready, with the remedy (%i)', async (status, body, reason, remedy) => {
    const { get, logMessages } = await started(SALE(await tillThat(status, body)))
    const answer = await get('/ready')
    const text = await answer.text()
    expect(answer.status).toBe(503)
    expect(JSON.parse(text)).toMatchObject({
      error: 'not ready: payments',
      checks: [{ name: 'database' }, { name: 'payments', status: 'failed', reason }],
    })
    expect(JSON.parse(text).checks[1].hint).toContain(remedy)
    expect(text + logMessages().join()).not.toContain('pay_live_xxxxxxxx')
    expect(logMessages()).toContain('the till that makes the invoices does not answer as it should')
  })

  test('a silent till is given up in time', async () => {
    const { get } = await started(SALE(await serving(() => undefined)))
    const before = systemClock.now()
    const answer = await get('/ready')
    expect([answer.status, (await answer.json()).checks[1].status]).toEqual([200, 'failed'])
    expect(systemClock.now() - before).toBeLessThan(5000)
  })
})

describe('it does not start', () => {
  test('where another process listens already', async () => {
    const other = await started()
    const taken = new URL(other.daemon.address()).host
    const names = await nameDaemon({ NAMEAUTH_NAMES_BIND: taken })
    cleanups.push(names.close)
    expect(await codeOf(() => names.daemon.start())).toBe('ADDRESS_IN_USE')
    await expect(names.daemon.authority.names.lookup('alice')).rejects.toMatchObject({ code: 'DATABASE_CLOSED' })
  })

  test('on an address of another machine', async () => {
    const names = await nameDaemon({ NAMEAUTH_NAMES_BIND: '192.0.2.1:8191' })
    cleanups.push(names.close)
    await expect(names.daemon.start()).rejects.toMatchObject({
      code: 'ADDRESS_REFUSED',
      message: 'cannot listen on 192.0.2.1:8191: this machine has no such address',
    })
  })

  test('on the database of a till', async () => {
    const { folder, close } = await nameDaemon()
    cleanups.push(close)
    const path = join(folder, 'pay.db')
    await (await openTillStore({ path, ...WALLET })).close()
    expect(await codeOf(() => nameDaemon({ NAMEAUTH_NAMES_DB: path }))).toBe('DATABASE_FOREIGN')
  })

  test('where no database can be', async () => {
    const { folder, close } = await nameDaemon()
    cleanups.push(close)
    writeFileSync(join(folder, 'file'), '')
    expect(await codeOf(() => nameDaemon({ NAMEAUTH_DATA_DIR: join(folder, 'file', 'data') }))).toBe(
      'DATABASE_UNUSABLE',
    )
  })
})

test('two authorities on one database see each other’s names', async () => {
  const one = await started()
  const other = await started({ NAMEAUTH_NAMES_DB: join(one.folder, 'names.db') })
  const body = (pubkey: string) => new TextEncoder().encode(JSON.stringify({ name: 'alice', pubkey }))
  await one.daemon.authority.names.register(alice, body(alice.pubkey))
  expect(await (await other.get('/api/v1/profile/alice')).json()).toEqual({ name: 'alice', pubkey: alice.pubkey })
  expect(await codeOf(() => other.daemon.authority.names.register(bob, body(bob.pubkey)))).toBe('NAME_TAKEN')
})

test('a stop lets the request under way finish, and then closes the database', async () => {
  const till = await slowTill()
  const { daemon, config, logMessages } = await started(SALE(till.url))
  const body = JSON.stringify({ name: 'alice', pubkey: alice.pubkey })
  const authorization = httpAuthHeader({
    url: `${config.baseUrl}/api/v1/register`,
    method: 'POST',
    body: Buffer.from(body),
    secret: alice.secret,
    now: systemClock.now(),
    random: systemRandom,
  })
  const headers = { authorization }
  const answer = fetch(`${daemon.address()}/api/v1/register`, { method: 'POST', body, headers })
  await till.asked
  const stopping = daemon.stop()
  till.refuse()
  expect((await answer).status).toBe(503)
  await stopping
  expect(logMessages()).not.toContain('part did not stop cleanly') // as it would after 10 s for a client that keeps its connection
  await expect(daemon.authority.names.lookup('alice')).rejects.toMatchObject({ code: 'DATABASE_CLOSED' })
})

/** Takes one request and answers on command. */
async function slowTill() {
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
    server.emit('asked')
  })
  const asked = once(server, 'asked')
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => void server.close())
  const bound = server.address()
  const refuse = () => waiting.forEach((response) => void response.writeHead(503).end())
  return { url: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`, asked, refuse }
}
