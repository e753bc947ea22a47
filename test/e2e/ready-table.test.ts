// Every part that a daemon's readiness names, switched off and on again: `/ready` says so within ten seconds each time, and whether the
// daemon still serves. What happens after a longer outage: ready.test.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon } from '../../src/daemons/pay.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { openLog, systemClock } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { type Cable, cableTo } from '../support/cable.js'
import { nodeListener } from '../support/chain-node.js'
import { startFakeTor } from '../support/fake-tor.js'
import { lasting } from '../support/local-server.js'
import { nameDaemon } from '../support/name-daemon.js'
import { startPlainRelay } from '../support/plain-relay.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { freePort } from '../support/till-process.js'

const LIMIT_MS = 10_000
const WORDS = 'enjoy mean nation pudding west exchange coach spring fitness bring current laugh'

interface Row {
  /** As /ready calls it. */
  readonly part: string
  /** What is switched. */
  readonly what: string
  readonly off: () => unknown
  readonly on: () => unknown
  /** Whether the daemon serves on without it. */
  readonly isServing: boolean
}

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})
const portOf = (url: string): number => Number(new URL(url).port)

async function cable(target: number): Promise<Cable> {
  const way = await cableTo(target)
  closing.push(way.cut)
  return way
}

const cabled = (way: () => Cable) => ({ off: () => way().cut(), on: () => way().mend() })

/** Another process holds the database exclusively. */
function locking(path: () => string) {
  let db: ReturnType<typeof openSqlite> | undefined
  return {
    off() {
      db = openSqlite(path(), 'merging')
      db.script('BEGIN IMMEDIATE')
    },
    on() {
      db?.script('ROLLBACK')
      db?.close()
    },
  }
}

/** What /ready says of one part, and of the whole. */
async function seen(address: string, part: string): Promise<string> {
  const answer = await fetch(`${address}/ready`)
  const { checks } = (await answer.json()) as { checks: readonly { name: string; status: string }[] }
  return `${checks.find(({ name }) => name === part)?.status} ${answer.status}`
}

/** The milliseconds until it says so. */
async function takes(address: string, part: string, wanted: string): Promise<number> {
  const since = systemClock.now()
  for (;;) {
    const said = await seen(address, part)
    const ms = systemClock.now() - since
    if (said === wanted) return ms
    if (ms > 3 * LIMIT_MS) throw new Error(`${part}: ${said} after ${ms} ms, not ${wanted}`)
    await pause(250)
  }
}

function switching(rows: readonly Row[], address: () => string): void {
  test.each(rows)('$part: $what', { timeout: 120_000 }, async ({ part, off, on, isServing }) => {
    await takes(address(), part, 'ok 200')
    await off()
    try {
      expect(await takes(address(), part, isServing ? 'failed 200' : 'failed 503')).toBeLessThan(LIMIT_MS)
    } finally {
      await on()
    }
    expect(await takes(address(), part, 'ok 200')).toBeLessThan(LIMIT_MS)
  })
}

describe('a till', () => {
  let [address, database] = ['', '']
  const ways: Record<string, Cable> = {}
  const way = (name: string) => () => {
    const found = ways[name]
    if (!found) throw new Error(`no way to ${name}`)
    return found
  }
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grinpay-ready-'))
    closing.push(() => rmSync(folder, { recursive: true, force: true }))
    const [node, relay] = [await lasting(nodeListener('testnet')), await startPlainRelay()]
    const tor = await startFakeTor({ answer: published })
    closing.push(node.close, relay.close, tor.close)
    if (!('port' in tor.endpoint)) throw new Error('TCP was wanted')
    ways.node = await cable(portOf(node.url))
    ways.relay = await cable(portOf(relay.url))
    ways.tor = await cable(tor.endpoint.port)
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    database = join(folder, 'pay.db')
    const variables = {
      ...{ PAY_CHAIN: 'testnet', PAY_BIND: `127.0.0.1:${port}`, PAY_RATE_LIMITS: 'off', PAY_RELAY_MODE: 'external' },
      ...{ PAY_DATA_DIR: join(folder, 'data'), PAY_DB_PATH: database, PAY_GRIN1_RAIL: 'on' },
      ...{
        PAY_MNEMONIC: WORDS,
        PAY_WALLET_PASSWORD: 'correct horse',
        PAY_GRIN1_FOREIGN_PORT: String(await freePort()),
      },
      PAY_NODE_URL: `http://127.0.0.1:${ways.node.port}`,
      PAY_RELAYS: `ws://127.0.0.1:${ways.relay.port}`,
      PAY_TOR_CONTROL: `127.0.0.1:${ways.tor.port}`,
    }
    const config = loadPayConfig(openEnvironment({ variables }))
    const workers = createRangeWorkers({ inline: true })
    const daemon = await openPayDaemon(config, { version: '0', log: await openLog({ level: 'silent' }), workers })
    closing.push(() => daemon.stop())
    await daemon.start()
    const onions = setInterval(() => {
      for (const onion of tor.services.keys()) tor.upload(onion)
    }, 200)
    closing.push(() => clearInterval(onions))
  }, 120_000)

  switching(
    [
      { part: 'node', what: 'its Grin node', ...cabled(way('node')), isServing: false },
      { part: 'relays', what: 'its only relay', ...cabled(way('relay')), isServing: false },
      { part: 'tor', what: 'tor', ...cabled(way('tor')), isServing: false },
      { part: 'database', what: 'its database', ...locking(() => database), isServing: false },
    ],
    () => address,
  )
})

/** A tor that has every service in its network. */
const published = (command: string) => {
  const [verb, first = ''] = command.split(' ')
  if (verb === 'HSFETCH') return `250 OK\r\n650 HS_DESC RECEIVED ${first} NO_AUTH $AB~x desc`
  if (command.startsWith('GETINFO hs/service/desc/id/')) return '250+hs/service/desc/id=\r\nx\r\n.\r\n250 OK'
  return undefined
}

describe('a name authority', () => {
  let names: Awaited<ReturnType<typeof nameDaemon>>
  let [node, till]: (Cable | undefined)[] = []
  const way = (which: () => Cable | undefined) => () => {
    const found = which()
    if (!found) throw new Error('no way there')
    return found
  }
  beforeAll(async () => {
    const server = await lasting(nodeListener('mainnet'))
    const shop = await lasting((_request, answer) => answer.end('{"status":"ok"}'))
    closing.push(server.close, shop.close)
    node = await cable(portOf(server.url))
    till = await cable(portOf(shop.url))
    names = await nameDaemon({
      ...{ NAMEAUTH_PAY_MODE: 'name', NAMEAUTH_NAME_PRICE_GRIN: '1', NAMEAUTH_PAY_TOKEN: 'pay_live_token_xx' },
      ...{ NAMEAUTH_PAY_URL: `http://127.0.0.1:${till.port}`, NAMEAUTH_TRANSFERS: 'on' },
      NAMEAUTH_GRIN_NODE_URL: `http://127.0.0.1:${node.port}/v2/foreign`,
    })
    closing.push(names.close)
    await names.daemon.start()
  }, 60_000)

  switching(
    [
      { part: 'payments', what: 'the till that makes its invoices', ...cabled(way(() => till)), isServing: true },
      { part: 'node', what: 'every Grin node', ...cabled(way(() => node)), isServing: true },
      { part: 'database', what: 'its database', ...locking(() => names.config.dbPath), isServing: false },
    ],
    () => names.daemon.address(),
  )
})

describe('a relay', () => {
  let relay: Awaited<ReturnType<typeof relayDaemon>>
  let authority: Cable | undefined
  const way = () => {
    if (!authority) throw new Error('no way there')
    return authority
  }
  beforeAll(async () => {
    const names = await nameDaemon()
    closing.push(names.close)
    await names.daemon.start()
    authority = await cable(portOf(names.daemon.address()))
    const upstream = `http://127.0.0.1:${authority.port}`
    relay = await relayDaemon(
      `[info]\nrelay_url = "wss://relay.example"\n[authority]\nmode = "upstream"\nupstream = "${upstream}"\n`,
    )
    closing.push(() => relay.close())
    await relay.daemon.start()
  }, 60_000)

  switching(
    [
      { part: 'authority', what: 'its name authority', ...cabled(way), isServing: true },
      { part: 'database', what: 'its database', ...locking(() => join(relay.dataDir, 'relay.db')), isServing: false },
    ],
    () => relay.daemon.address(),
  )
})

describe('a relay that sells names', () => {
  let relay: Awaited<ReturnType<typeof relayDaemon>>
  let till: Cable | undefined
  const way = () => {
    if (!till) throw new Error('no way there')
    return till
  }
  beforeAll(async () => {
    const shop = await lasting((_request, answer) => answer.end('{"status":"ok"}'))
    closing.push(shop.close)
    till = await cable(portOf(shop.url))
    const names = 'enabled = true\ndomain = "names.example"\nbase_url = "https://names.example"'
    const pay = `pay_mode = "name"\nurl = "http://127.0.0.1:${till.port}"\napi_token = "pay_live_xxxxxxxx"`
    relay = await relayDaemon(`[info]\nrelay_url = "wss://names.example"\n[name_authority]\n${names}\n[pay]\n${pay}\n`)
    closing.push(() => relay.close())
    await relay.daemon.start()
  }, 60_000)

  switching([{ part: 'payments', what: 'the till that makes its invoices', ...cabled(way), isServing: true }], () =>
    relay.daemon.address(),
  )
})
