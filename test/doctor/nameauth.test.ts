// What the doctor says of a name authority: on a real daemon, and on servers that are not what they should be.
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openEnvironment } from '../../src/config/index.js'
import { examineNameauth } from '../../src/doctor/index.js'
import { systemClock } from '../../src/system/index.js'
import { healthy, startNode } from '../chain/fake-node.js'
import { lines } from '../support/doctor.js'
import { serving } from '../support/local-server.js'
import { nameDaemon } from '../support/name-daemon.js'
import { keyPairOf } from '../support/nostr.js'
import { freePort } from '../support/till-process.js'

const alice = keyPairOf('alice')

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A running authority, and settings that lead to it. */
async function running() {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const settings = {
    NAMEAUTH_DOMAIN: 'names.example',
    NAMEAUTH_BASE_URL: url,
    NAMEAUTH_NAMES_BIND: `127.0.0.1:${port}`,
    NAMEAUTH_RELAYS: `ws://127.0.0.1:${port}`,
  }
  const names = await nameDaemon(settings)
  cleanups.push(names.close)
  await names.daemon.start()
  const body = new TextEncoder().encode(JSON.stringify({ name: 'alice', pubkey: alice.pubkey }))
  await names.daemon.authority.names.register(alice, body)
  return { ...names, url, settings: { ...settings, NAMEAUTH_DATA_DIR: names.folder } }
}

const NOWHERE = 'http://127.0.0.1:9'
const ALONE = {
  NAMEAUTH_DOMAIN: 'names.example',
  NAMEAUTH_BASE_URL: NOWHERE,
  NAMEAUTH_NAMES_BIND: '127.0.0.1:9',
  NAMEAUTH_DATA_DIR: '/nowhere',
}
const examine = (variables: Record<string, string>, ...only: readonly string[]) =>
  examineNameauth({ environment: openEnvironment({ variables }), ...(only.length > 0 ? { only } : {}) })

test('an authority that is well', async () => {
  const { settings, url, folder } = await running()
  expect(lines(await examine(settings))).toEqual([
    'pass usable, from the environment',
    `pass writable, ${join(folder, 'names.db')}`,
    expect.stringMatching(/MiB are free below/),
    `pass answers at ${url}`,
    'pass all parts are ready',
    `pass ${url}/.well-known/nostr.json?name=alice answers with our names`,
    `pass ${url}/api/ is passed on`,
    'pass right to 1 s, by 1 servers',
  ])
})

test('broken settings are reported one by one, and nothing else is looked at', async () => {
  const findings = await examine(
    { NAMEAUTH_DOMAIN: 'x.example', NAMEAUTH_NAME_MAX: '99', NAMEAUTH_TRANSFERS: 'on' },
    'daemon',
  )
  expect(findings.map(({ check, level }) => `${level} ${check}`)).toEqual(['fail settings', 'fail settings'])
  expect(findings[0]?.remedy).toContain('grinpay config check --daemon nameauth')
})

test('an authority that never ran', async () => {
  expect(lines(await examine(ALONE, 'database', 'daemon'))).toEqual([
    'warn there is none at /nowhere/names.db yet',
    `fail nothing answers at ${NOWHERE}`,
  ])
})

test('a daemon that answers, and hangs up when asked how its parts are', async () => {
  const url = await serving(({ url: path }, answer) => (path === '/ready' ? answer.destroy() : answer.end('ok')))
  const findings = await examine({ ...ALONE, NAMEAUTH_NAMES_BIND: new URL(url).host }, 'daemon')
  expect(lines(findings)).toEqual([`pass answers at ${url}`, 'fail /ready does not answer'])
})

test('something else at the place of the daemon', async () => {
  const url = await serving((_request, answer) => answer.end('hello'))
  const findings = await examine({ ...ALONE, NAMEAUTH_NAMES_BIND: url.slice(7) }, 'daemon')
  expect(lines(findings)).toEqual([`fail ${url} answers 200, but not as a name authority does`])
})

describe('the public address', () => {
  const behind = async (listener: RequestListener) => {
    const { settings } = await running()
    const url = await serving(listener)
    const findings = await examine({ ...settings, NAMEAUTH_BASE_URL: url }, 'address')
    return { url, first: lines(findings)[0] }
  }
  const document =
    (names: object, headers = { 'access-control-allow-origin': '*' }): RequestListener =>
    (_request, answer) =>
      answer.writeHead(200, headers).end(JSON.stringify({ names, relays: {} }))

  test('that leads to a foreign authority', async () => {
    const { url, first } = await behind(document({}))
    expect(first).toBe(
      `fail ${url}/.well-known/nostr.json?name=alice does not know a name of ours: another authority answers there`,
    )
  })

  test('that redirects', async () => {
    const { first } = await behind((_request, answer) => answer.writeHead(301, { location: NOWHERE }).end())
    expect(first).toMatch(/^fail .* redirects, which NIP-05 forbids$/)
  })

  test('that is some other site', async () => {
    const { first } = await behind((_request, answer) => answer.writeHead(404).end('<html>'))
    expect(first).toMatch(/^fail .* answers 404, but not as a name authority does$/)
  })

  test('whose proxy drops a header', async () => {
    const { first } = await behind(
      document({ alice: alice.pubkey }, { 'access-control-allow-origin': 'https://a.example' }),
    )
    expect(first).toMatch(/^warn .* lacks Access-Control-Allow-Origin: \*/)
  })

  test('where nothing is', async () => {
    const findings = await examine({ ...ALONE, NAMEAUTH_BASE_URL: `http://127.0.0.1:${await freePort()}` }, 'address')
    expect(findings.map(({ level }) => level)).toEqual(['fail', 'fail'])
    expect(findings[0]?.detail).toContain('cannot be reached')
    expect(findings[0]?.remedy).toMatch(/^start the web server in front/)
  })
})

describe('the till', () => {
  const till = async (status: number) => {
    const url = await serving((_request, answer) =>
      answer.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"no such thing"}'),
    )
    const paid = { NAMEAUTH_PAY_MODE: 'name', NAMEAUTH_NAME_PRICE_GRIN: '1', NAMEAUTH_PAY_TOKEN: 'pay_live_xxxxxxxx' }
    return { url, findings: await examine({ ...ALONE, ...paid, NAMEAUTH_PAY_URL: url }, 'pay') }
  }

  test('that takes our token', async () => {
    const { url, findings } = await till(404)
    expect(lines(findings)).toEqual([`pass ${url} answers, and takes our token`])
  })

  test('that does not', async () => {
    const { findings } = await till(401)
    expect(findings).toMatchObject([
      { check: 'pay', level: 'fail', remedy: expect.stringContaining('NAMEAUTH_PAY_TOKEN') },
    ])
    expect(JSON.stringify(findings)).not.toContain('pay_live_xxxxxxxx')
  })

  test('is not asked when nothing is for sale', async () => {
    expect(await examine(ALONE, 'pay', 'node')).toEqual([])
  })
})

test('nodes are reported one by one, and one that is out does no harm beside a good one', async () => {
  const node = await startNode(healthy(100, new Date(systemClock.now()).toISOString()))
  cleanups.push(node.close)
  const sales = { ...ALONE, NAMEAUTH_TRANSFERS: 'on' }
  const good = `${node.url}/v2/foreign`
  const both = await examine({ ...sales, NAMEAUTH_GRIN_NODE_URL: `${good} ${NOWHERE}/v2/foreign` }, 'node')
  expect(both.map(({ level, about }) => `${level} ${about}`)).toEqual([
    `pass ${new URL(node.url).host}`,
    'warn 127.0.0.1:9',
  ])
  const none = await examine({ ...sales, NAMEAUTH_GRIN_NODE_URL: `${NOWHERE}/v2/foreign` }, 'node')
  expect(none.map(({ level }) => level)).toEqual(['fail'])
})
