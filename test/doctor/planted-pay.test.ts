// A till with everything around it, on real sockets: what the doctor says while all is well, and of each fault that is planted in it.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { openPayDaemon, type PayDaemon } from '../../src/daemons/pay.js'
import { startFileProblems } from '../../src/daemons/start-files.js'
import { type CheckFinding, examine, type Request } from '../../src/doctor/index.js'
import { formatOnion, parseAddress } from '../../src/grin/slatepack/index.js'
import { openLog, systemClock } from '../../src/system/index.js'
import { createRangeWorkers } from '../../src/workers/index.js'
import { nodeListener } from '../support/chain-node.js'
import { startFakeTor } from '../support/fake-tor.js'
import { type Faults, frontProxy } from '../support/front-proxy.js'
import { startHostileRelay } from '../support/hostile-relay.js'
import { lasting, serving } from '../support/local-server.js'
import { startPlainRelay } from '../support/plain-relay.js'
import { describePlanted, expectFound, type PlantedRow } from '../support/planted.js'
import { freePort } from '../support/till-process.js'
import { type InstalledUnits, installUnits } from '../support/units.js'

const WORDS = 'enjoy mean nation pudding west exchange coach spring fitness bring current laugh'
/** What takes its time in earnest is over sooner; how long a check may take in all, less so. */
const hurried = (ms: number) => ms / (ms < 10_000 ? 4 : 1)
const clock = (ahead = 0) => ({
  now: () => systemClock.now() + ahead,
  monotonic: systemClock.monotonic,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(hurried(ms), signal),
})
let folder: string
const at = (...parts: readonly string[]) => join(folder, ...parts)
let daemon: PayDaemon
let units: InstalledUnits
let port: number
let address: string
/** How the shop answers webhooks; undefined: it hangs up. */
let shop: number | undefined = 200
const settings: Record<string, string> = {}
const closing: (() => unknown)[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-planted-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  for (const name of ['data', 'secrets']) mkdirSync(at(name), { mode: 0o700 })
  const node = await lasting(nodeListener('testnet'))
  const hooks = await lasting((request, answer) => {
    request.resume()
    if (shop === undefined) return void answer.destroy()
    answer.writeHead(shop, { location: 'http://127.0.0.1:9/' }).end()
  })
  const relay = await startPlainRelay()
  const tor = await startFakeTor({ answer: published })
  closing.push(node.close, hooks.close, relay.close, tor.close)
  if (!('port' in tor.endpoint)) throw new Error('TCP was wanted')
  port = await freePort()
  Object.assign(settings, {
    PAY_CHAIN: 'testnet',
    PAY_BIND: `127.0.0.1:${port}`,
    PAY_CONSOLE: 'on',
    PAY_CONSOLE_BIND: `127.0.0.1:${await freePort()}`,
    PAY_TRUSTED_PROXIES: '127.0.0.1',
    PAY_RATE_LIMITS: 'off', // for the doctor comes more often than it would
    PAY_DATA_DIR: at('data'),
    PAY_DB_PATH: at('data', 'pay.db'),
    PAY_NODE_URL: node.url,
    PAY_RELAY_MODE: 'external',
    PAY_RELAYS: relay.url,
    PAY_WEBHOOK_URL: `${hooks.url}/hook`,
    PAY_GRIN1_RAIL: 'on',
    PAY_GRIN1_FOREIGN_PORT: String(await freePort()),
    PAY_TOR_CONTROL: `127.0.0.1:${tor.endpoint.port}`,
  })
  const secrets = {
    PAY_API_TOKEN: `pay_live_${'1a'.repeat(32)}`,
    PAY_ADMIN_TOKEN: `pay_admin_${'2b'.repeat(32)}`,
    PAY_WEBHOOK_SECRET: `whsec_${'3c'.repeat(32)}`,
    PAY_WALLET_PASSWORD: 'correct horse battery',
  }
  for (const [name, text] of Object.entries(secrets)) {
    settings[`${name}_FILE`] = at('secrets', name.toLowerCase())
    writeFileSync(at('secrets', name.toLowerCase()), `${text}\n`, { mode: 0o600 })
  }
  const config = loadPayConfig(openEnvironment({ variables: { ...settings, PAY_MNEMONIC: WORDS } }))
  const workers = createRangeWorkers({ inline: true })
  daemon = await openPayDaemon(config, { version: '0.0.0-test', log: await openLog({ level: 'silent' }), workers })
  closing.push(() => daemon.stop())
  address = daemon.till.identity.address
  await daemon.start()
  await tor.waitForCommand('ADD_ONION')
  tor.upload([...tor.services.keys()][0] ?? '')
  const wanted = { timeout: 20_000, interval: 100 }
  await vi.waitFor(() => expect(relay.events.some(({ kind }) => kind === 10_050)).toBe(true), wanted)
  await vi.waitFor(async () => expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(200), wanted)
}, 60_000)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

/** A tor that has every service in its network. */
const published = (command: string) => {
  const [verb, first = ''] = command.split(' ')
  if (verb === 'HSFETCH') return `250 OK\r\n650 HS_DESC RECEIVED ${first} NO_AUTH $AB~x desc`
  if (command.startsWith('GETINFO hs/service/desc/id/')) return '250+hs/service/desc/id=\r\nx\r\n.\r\n250 OK'
  return undefined
}

interface Planted {
  /** Settings that are other than they should be; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Of the proxy in front. */
  readonly faults?: Faults
  /** Done to the machine before the doctor comes. */
  readonly also?: () => unknown
  readonly request?: Partial<Request>
}

beforeEach(() => {
  shop = 200
  chmodSync(folder, 0o755)
  rmSync(at('units'), { recursive: true, force: true })
  rmSync(at('copies'), { recursive: true, force: true })
  const secretFile = (name: string) => settings[`${name}_FILE`]
  units = installUnits({ daemon: 'pay', folder, settingsFile: at('pay.env'), folders: [at('data')], secretFile, port })
  units.copyAt(systemClock.now() - 3_600_000)
})

/** The doctor's answer, with a proxy in front of the till. */
async function diagnosis({ env = {}, faults = {}, also, request = {} }: Planted): Promise<readonly CheckFinding[]> {
  const front = await freePort()
  await frontProxy(front, port, { hides: /^\/admin/, ...faults })
  const all: Record<string, string | undefined> = { ...settings, PAY_PUBLIC_URL: `http://127.0.0.1:${front}`, ...env }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\n`]))
  writeFileSync(at('pay.env'), lines.join(''), { mode: 0o640 })
  chmodSync(at('pay.env'), 0o640)
  await also?.()
  return examine({
    environment: openEnvironment({ envFile: at('pay.env'), variables: {} }),
    tillUrl: `http://${all.PAY_BIND}`,
    address: async () => address,
    clock: clock(),
    services: units.services,
    fileProblems: () =>
      startFileProblems('pay', { environment: openEnvironment({ envFile: at('pay.env'), variables: {} }) }),
    ...request,
  })
}

/** A secret of its own, in a file that only its owner reads. */
const other = (name: string, text: string, mode = 0o600): string => {
  writeFileSync(at(name), `${text}\n`, { mode })
  chmodSync(at(name), mode)
  onTestFinished(() => rmSync(at(name)))
  return at(name)
}
const mode = (name: string, wrong: number, right: number) => () => {
  chmodSync(at(name), wrong)
  onTestFinished(() => chmodSync(at(name), right))
}
const unit = (change: (text: string) => string) => () =>
  writeFileSync(units.unit, change(readFileSync(units.unit, 'utf8')))
const ofEarlierVersion = unit((text) => text.replace(/^LoadCredential=pay\.env:/m, 'EnvironmentFile='))
const gone =
  (...parts: readonly string[]) =>
  () =>
    rmSync(join(units.services.unitDirs[0] ?? '', ...parts))
const MEBIBYTE = 1024 * 1024
const disk = (free: number) => ({ roomOf: async () => ({ free: free * MEBIBYTE, total: 100_000 * MEBIBYTE }) })
const DAY = 86_400_000
const copies = (days: number) => () => {
  rmSync(join(units.services.copies, 'grinpay-backup-pay'), { recursive: true })
  mkdirSync(join(units.services.copies, 'grinpay-backup-pay'))
  if (days < Number.POSITIVE_INFINITY) units.copyAt(systemClock.now() - days * DAY)
}
const answering = (status: number, body: string, headers = {}): Planted => ({
  faults: { answers: { status, body, headers } },
})
const shopIs = (status: number | undefined): Planted => ({
  also: () => {
    shop = status
  },
})
const PLANTED: readonly PlantedRow<Planted>[] = [
  ['a setting with a mistake in its name', { env: { PAY_WEBHOK_URL: 'x' } }, [/^warn settings: .*PAY_WEBHOK_URL/]],
  ['a setting that cannot be', { env: { PAY_CONFIRMATIONS: '0' } }, [/^fail settings: PAY_CONFIRMATIONS/]],
  [
    'settings others can change',
    { also: () => chmodSync(at('pay.env'), 0o666) },
    [/^fail settings: .*pay\.env can be/],
  ],
  ['a folder of settings others can change', { also: () => chmodSync(folder, 0o777) }, [/^fail settings: .* replaced/]],
  [
    'a secret others can read',
    { also: mode('secrets/pay_api_token', 0o644, 0o600) },
    [/^fail settings: PAY_API_TOKEN is in .*, which everybody on this machine can read/],
  ],
  [
    'a secret in settings others can read',
    { env: { PAY_NODE_SECRET: 'sesame-sesame' }, also: () => chmodSync(at('pay.env'), 0o644) },
    [/^fail settings: PAY_NODE_SECRET stands in/],
  ],
  [
    'no logo of the shop',
    { env: { PAY_SHOP_LOGO: '/nowhere/logo.png' } },
    [/^fail settings: PAY_SHOP_LOGO cannot be read/],
  ],
  ['data open to all', { also: mode('data', 0o755, 0o700) }, [/^fail settings: .*data is open to other users/]],
  [
    'no database where it should be',
    { env: { PAY_DB_PATH: '/nowhere/pay.db' } },
    [/^warn database: there is none/, /^warn console: there is no console\.db/],
  ],
  ['a disk that is nearly full', { request: disk(5_000) }, [/^warn database: the disk is nearly full: 5000 MiB/]],
  ['a disk that is full', { request: disk(10) }, [/^fail database: the disk is full/]],
  [
    'no till',
    async () => ({ env: { PAY_BIND: `127.0.0.1:${await freePort()}` } }),
    [/^fail till: no answer from the till/],
  ],
  [
    'a port that is taken',
    async () => ({ env: { PAY_BIND: (await serving((_q, answer) => answer.end('hello'))).slice(7) } }),
    [/^fail till: .* answers 200, but not as a till does/],
  ],
  [
    'a till that still has an older token',
    async () => ({ env: { PAY_API_TOKEN_FILE: other('token', `pay_live_${'9f'.repeat(32)}`) } }),
    [/^fail secrets: the till that runs does not take PAY_API_TOKEN/],
  ],
  ['no API token', { env: { PAY_API_TOKEN_FILE: undefined } }, [/^warn secrets: PAY_API_TOKEN is not set/]],
  ['no public address', { env: { PAY_PUBLIC_URL: undefined } }, [/^warn address: PAY_PUBLIC_URL is not set/]],
  [
    'a public address of this machine alone',
    async () => ({ env: { PAY_PUBLIC_URL: `http://${settings.PAY_BIND}` } }),
    [/^warn address: PAY_PUBLIC_URL is http:\/\/127\.0\.0\.1:\d+: customers elsewhere/],
  ],
  [
    'no proxy',
    async () => ({ env: { PAY_PUBLIC_URL: `http://127.0.0.1:${await freePort()}` } }),
    [/^fail address: .* cannot be reached: connect ECONNREFUSED/],
  ],
  [
    'a public address without DNS',
    { env: { PAY_PUBLIC_URL: 'https://nowhere.invalid' } },
    [/^fail address: .* cannot be reached/],
  ],
  ['a proxy that leads elsewhere', answering(200, '<html>'), [/^fail address: another till answers at/]],
  ['a proxy that redirects', answering(301, '', { location: 'https://x.example/' }), [/^fail address: .* redirects/]],
  [
    'a proxy that hides addresses',
    { faults: { address: 'dropped' } },
    [/^fail address: the till sees every client as 127\.0\.0\.1/],
  ],
  [
    'a proxy that believes clients',
    { faults: { address: 'claimed' } },
    [/^fail address: the proxy passes on whatever address/],
  ],
  ['a proxy for short requests', { faults: { mostBytes: 20_000 } }, [/^fail address: the proxy refuses slatepacks/]],
  ['a proxy that shows the admin API', { faults: { hides: /^$/ } }, [/^warn address: the proxy passes the admin API/]],
  ['a shop that has no such page', shopIs(404), [/^fail webhook: .* HTTP 404/]],
  ['a shop with another webhook secret', shopIs(401), [/^fail webhook: .* HTTP 401/]],
  ['a shop that has moved', shopIs(301), [/^fail webhook: .* HTTP 301/]],
  ['a shop that is broken', shopIs(500), [/^fail webhook: .* HTTP 500/]],
  ['a shop that hangs up', shopIs(undefined), [/^fail webhook: .* does not answer/]],
  [
    'a node that is behind',
    async () => ({ env: { PAY_NODE_URL: await serving(nodeListener('testnet', 300)) } }),
    [/^fail node .*: its newest block is 300 minutes old/],
  ],
  [
    'a node of another chain',
    async () => ({ env: { PAY_NODE_URL: await serving(nodeListener('mainnet')) } }),
    [/^fail node .*: it is a node of mainnet, and the till is on testnet/],
  ],
  [
    'no node',
    async () => ({ env: { PAY_NODE_URL: `http://127.0.0.1:${await freePort()}` } }),
    [/^fail node .*: nothing listens there/],
  ],
  [
    'one node of two is away',
    async () => ({ env: { PAY_NODE_URL: `${settings.PAY_NODE_URL},http://127.0.0.1:${await freePort()}` } }),
    [/^warn node .*: nothing listens there/],
  ],
  [
    'no relay',
    async () => ({ env: { PAY_RELAYS: `ws://127.0.0.1:${await freePort()}` } }),
    [/^fail relay .*: cannot be reached/],
  ],
  [
    'a relay that refuses our kinds',
    async () => ({ env: { PAY_RELAYS: await refusingRelay('blocked: kind 1059 is not allowed here') } }),
    [/^fail relay .*: refuses gift wraps \(kind 1059\): blocked/],
  ],
  [
    "a relay without the till's relay list",
    async () => ({ env: { PAY_RELAYS: `${settings.PAY_RELAYS},${await emptyRelay()}` } }),
    [/^warn relay .*: does not have the till's relay list/],
  ],
  [
    'the password of another wallet',
    async () => ({ env: { PAY_WALLET_PASSWORD_FILE: other('password', 'wrong horse battery') } }),
    [
      /^fail wallet: the password does not open the seed file/,
      /^fail identity: the till does not start: the wallet password does not open the Nostr identity/,
    ],
  ],
  [
    'a clock that is 2 minutes ahead',
    { request: { clock: clock(120_000) } },
    [/^fail clock: this machine is 120 s ahead/],
  ],
  [
    'a clock that is 20 seconds behind',
    { request: { clock: clock(-20_000) } },
    [/^warn clock: this machine is 20 s behind/],
  ],
  [
    'a tor that is down',
    async () => ({ env: { PAY_TOR_CONTROL: `127.0.0.1:${await freePort()}` } }),
    [/^fail tor: tor cannot be reached/],
  ],
  [
    'a tor without our onion service',
    async () => ({ env: { PAY_TOR_CONTROL: await emptyTor() } }),
    [/^fail tor: tor does not serve/],
  ],
  [
    'a Foreign API elsewhere',
    async () => ({ env: { PAY_GRIN1_FOREIGN_PORT: String(await freePort()) } }),
    [/^fail foreign: nothing answers at/],
  ],
  [
    'a console that does not answer',
    async () => ({ env: { PAY_CONSOLE_BIND: `127.0.0.1:${await freePort()}` } }),
    [/^fail console: no answer from the console/],
  ],
  [
    'a port of the console that is taken',
    async () => ({ env: { PAY_CONSOLE_BIND: (await serving((_q, answer) => answer.end('hello'))).slice(7) } }),
    [/^fail console: .* answers 200, but not as a console does/],
  ],
  [
    'an address of the console without DNS',
    { env: { PAY_CONSOLE_URL: 'https://nowhere.invalid' } },
    [/^fail console: https:\/\/nowhere\.invalid cannot be reached/],
  ],
  ['no unit', { also: gone('grinpay-pay.service') }, [/^warn service: no unit starts it/]],
  [
    'a unit for other settings',
    { also: unit((text) => text.replace(/^LoadCredential=pay.env:.*$/m, 'LoadCredential=pay.env:/etc/other.env')) },
    [/^warn service: .* reads other settings than/],
  ],
  [
    'a unit of an earlier version',
    { also: ofEarlierVersion },
    [/^warn service: .* is of an earlier version: systemd reads .*pay.env for the daemon/],
  ],
  [
    'a unit of an earlier version, and a line that systemd reads differently',
    { env: { 'export PAY_CONFIRMATIONS': '12' }, also: ofEarlierVersion },
    [
      /^fail service: .* is of an earlier version: .*, and other settings in line \d+ than commands do/,
      /^warn settings: .*pay.env line \d+ \(PAY_CONFIRMATIONS\) has "export", with which systemd ignores the line/,
    ],
  ],
  [
    'a unit without watchdog',
    { also: unit((text) => text.replace('WatchdogSec=60s\n', '')) },
    [/^warn service: .* a standstill goes unnoticed/],
  ],
  [
    'a unit without restart',
    { also: unit((text) => text.replace('Restart=on-failure', 'Restart=no')) },
    [/^warn service: .* it stays down after a crash/],
  ],
  [
    'a unit that is not enabled',
    { also: gone('multi-user.target.wants', 'grinpay-pay.service') },
    [/^warn service: it is not started when the machine is/],
  ],
  [
    'a credential that is not there',
    { also: unit((text) => text.replace('[Install]', 'LoadCredential=pay_nsec:/nowhere/nsec\n[Install]')) },
    [/^fail service: .* hands over \/nowhere\/nsec, which is not there/],
  ],
  [
    'a secret that the unit does not hand over',
    async () => ({ env: { PAY_NODE_SECRET_FILE: other('node-secret', 'sesame') } }),
    [/^fail service: .* does not hand over PAY_NODE_SECRET_FILE/],
  ],
  [
    'no timer for backups',
    { also: gone('grinpay-backup-pay.timer') },
    [/^warn service: nothing copies its data: no timer/],
  ],
  [
    'a timer for backups that is off',
    { also: gone('timers.target.wants', 'grinpay-backup-pay.timer') },
    [/^warn service: nothing copies its data: the timer for backups is off/],
  ],
  ['no backup yet', { also: copies(Number.POSITIVE_INFINITY) }, [/^warn service: there is no copy of its data/]],
  ['a backup of three days ago', { also: copies(3) }, [/^warn service: the newest copy of its data is 3 days old/]],
  ['a backup of ten days ago', { also: copies(10) }, [/^fail service: the newest copy of its data is 10 days old/]],
]

async function refusingRelay(refusal: string): Promise<string> {
  const relay = await startHostileRelay({
    heard(connection, verb, [first]) {
      if (verb === 'REQ') connection.say(['EOSE', first])
      if (verb === 'EVENT') connection.say(['OK', (first as { id: string }).id, false, refusal])
    },
  })
  onTestFinished(relay.close)
  return relay.url
}

async function emptyRelay(): Promise<string> {
  const relay = await startPlainRelay()
  onTestFinished(relay.close)
  return relay.url
}

async function emptyTor(): Promise<string> {
  const tor = await startFakeTor()
  onTestFinished(tor.close)
  return 'port' in tor.endpoint ? `127.0.0.1:${tor.endpoint.port}` : ''
}

describePlanted({ is: 'a till', table: 'pay', least: 20 }, PLANTED, diagnosis, () => [
  [folder, '…'],
  [formatOnion(parseAddress(address, 'tgrin')), 'ONION'],
])

test('the end of an old token is shown, and is no fault', async () => {
  const end = `${new Date(systemClock.now() + 3_600_000).toISOString().slice(0, 19)}Z`
  const text = readFileSync(at('secrets/pay_api_token'), 'utf8')
  const file = other('rotated', `${text.trim()}\npay_live_${'0e'.repeat(32)} until=${end}`)
  const findings = await diagnosis({ env: { PAY_API_TOKEN_FILE: file } })
  expectFound(findings, [])
  expect(findings.map(({ detail }) => detail)).toContain(
    `PAY_API_TOKEN: an old one, replaced by a rotation, counts until ${end}`,
  )
  expect(JSON.stringify(findings)).not.toContain('0e0e0e')
})
