// A name authority with everything around it, on real sockets: what the doctor says while all is well, and of each fault that is planted in it.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import { loadNameauthConfig, openEnvironment } from '../../src/config/index.js'
import { type NameDaemon, openNameDaemon } from '../../src/daemons/nameauth.js'
import { type CheckFinding, examineNameauth } from '../../src/doctor/index.js'
import type { NameRequest } from '../../src/doctor/nameauth/examine.js'
import { openLog, systemClock } from '../../src/system/index.js'
import { nodeListener } from '../support/chain-node.js'
import { type Faults, frontProxy } from '../support/front-proxy.js'
import { lasting, serving } from '../support/local-server.js'
import { keyPairOf } from '../support/nostr.js'
import { describePlanted, type PlantedRow } from '../support/planted.js'
import { freePort } from '../support/till-process.js'
import { type InstalledUnits, installUnits } from '../support/units.js'

let folder: string
const at = (...parts: readonly string[]) => join(folder, ...parts)
let daemon: NameDaemon
let units: InstalledUnits
let port: number
const settings: Record<string, string> = {}
const closing: (() => unknown)[] = []
const TOKEN = `pay_live_${'4d'.repeat(32)}`

/** A till that knows no invoice, for those who have its token. */
const till: RequestListener = ({ url, headers }, answer) => {
  if (url === '/health') return void answer.end('{"status":"ok","version":"1"}')
  const isKnown = headers.authorization === `Bearer ${TOKEN}`
  answer.writeHead(isKnown ? 404 : 401, { 'content-type': 'application/json' }).end('{"error":"no such thing"}')
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-planted-'))
  closing.push(() => rmSync(folder, { recursive: true, force: true }))
  chmodSync(folder, 0o755)
  for (const name of ['data', 'secrets']) mkdirSync(at(name), { mode: 0o700 })
  const [node, shop] = [await lasting(nodeListener('mainnet')), await lasting(till)]
  closing.push(node.close, shop.close)
  port = await freePort()
  writeFileSync(at('secrets/token'), `${TOKEN}\n`, { mode: 0o600 })
  Object.assign(settings, {
    NAMEAUTH_DOMAIN: 'names.example',
    NAMEAUTH_NAMES_BIND: `127.0.0.1:${port}`,
    NAMEAUTH_NAMES_DB: at('data', 'names.db'),
    NAMEAUTH_RELAYS: 'wss://relay.example',
    NAMEAUTH_PAY_MODE: 'name',
    NAMEAUTH_NAME_PRICE_GRIN: '1',
    NAMEAUTH_PAY_URL: shop.url,
    NAMEAUTH_PAY_TOKEN_FILE: at('secrets', 'token'),
    NAMEAUTH_TRANSFERS: 'on',
    NAMEAUTH_GRIN_NODE_URL: `${node.url}/v2/foreign`,
  })
  const variables = { ...settings, NAMEAUTH_PAY_MODE: 'off', NAMEAUTH_BASE_URL: 'http://127.0.0.1:1' }
  const config = loadNameauthConfig(openEnvironment({ variables }))
  daemon = await openNameDaemon(config, { version: '0.0.0-test', log: await openLog({ level: 'silent' }) })
  closing.push(() => daemon.stop())
  await daemon.start()
  const alice = keyPairOf('alice')
  const body = new TextEncoder().encode(JSON.stringify({ name: 'alice', pubkey: alice.pubkey }))
  await daemon.authority.names.register(alice, body)
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

interface Planted {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly faults?: Faults
  readonly also?: () => unknown
  readonly request?: Partial<NameRequest>
}

beforeEach(() => {
  chmodSync(folder, 0o755)
  rmSync(at('units'), { recursive: true, force: true })
  rmSync(at('copies'), { recursive: true, force: true })
  const secretFile = (name: string) => settings[`${name}_FILE`]
  const settingsFile = at('nameauth.env')
  units = installUnits({ daemon: 'nameauth', folder, settingsFile, folders: [at('data')], secretFile, port })
  units.copyAt(systemClock.now() - 3_600_000)
})

async function diagnosis({ env = {}, faults = {}, also, request = {} }: Planted): Promise<readonly CheckFinding[]> {
  const front = await freePort()
  await frontProxy(front, port, faults)
  const all = { ...settings, NAMEAUTH_BASE_URL: `http://127.0.0.1:${front}`, ...env }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}\n`]))
  writeFileSync(at('nameauth.env'), lines.join(''), { mode: 0o600 })
  chmodSync(at('nameauth.env'), 0o600)
  await also?.()
  const environment = openEnvironment({ envFile: at('nameauth.env'), variables: {} })
  return examineNameauth({ environment, services: units.services, ...request })
}

const mode = (name: string, wrong: number, right: number) => () => {
  chmodSync(at(name), wrong)
  onTestFinished(() => chmodSync(at(name), right))
}
const unit = (change: (text: string) => string) => () =>
  writeFileSync(units.unit, change(readFileSync(units.unit, 'utf8')))
const gone =
  (...parts: readonly string[]) =>
  () =>
    rmSync(join(units.services.unitDirs[0] ?? '', ...parts))
const MEBIBYTE = 1024 * 1024
const disk = (free: number) => ({ roomOf: async () => ({ free: free * MEBIBYTE, total: 100_000 * MEBIBYTE }) })
const copies = (days: number) => () => {
  rmSync(join(units.services.copies, 'grinpay-backup-nameauth'), { recursive: true })
  mkdirSync(join(units.services.copies, 'grinpay-backup-nameauth'))
  if (days < Number.POSITIVE_INFINITY) units.copyAt(systemClock.now() - days * 86_400_000)
}
const answering = (status: number, body: string, headers = {}): Planted => ({
  faults: { answers: { status, body, headers } },
})
const ahead = (ms: number) => ({ clock: { ...systemClock, now: () => systemClock.now() + ms } })
const OPEN = { 'access-control-allow-origin': '*' }

const PLANTED: readonly PlantedRow<Planted>[] = [
  [
    'a setting with a mistake in its name',
    { env: { NAMEAUTH_NAME_MAXX: '9' } },
    [/^warn settings: NAMEAUTH_NAME_MAXX/],
  ],
  ['a setting that cannot be', { env: { NAMEAUTH_NAME_MAX: '99' } }, [/^fail settings: NAMEAUTH_NAME_MAX/]],
  [
    'settings others can change',
    { also: () => chmodSync(at('nameauth.env'), 0o666) },
    [/^fail settings: .*\.env can be/],
  ],
  [
    'a secret others can read',
    { also: mode('secrets/token', 0o644, 0o600) },
    [/^fail settings: NAMEAUTH_PAY_TOKEN is in/],
  ],
  ['data open to all', { also: mode('data', 0o755, 0o700) }, [/^fail settings: .*data is open to other users/]],
  [
    'a database that was never made',
    { env: { NAMEAUTH_NAMES_DB: '/nowhere/names.db' } },
    [/^warn database: there is none/],
  ],
  [
    'a database of another kind',
    async () => {
      mkdirSync(at('other'), { recursive: true, mode: 0o700 })
      writeFileSync(at('other/names.db'), 'no database at all'.repeat(400))
      return { env: { NAMEAUTH_NAMES_DB: at('other/names.db') } }
    },
    [/^fail database: /],
  ],
  ['a disk that is nearly full', { request: disk(5_000) }, [/^warn database: the disk is nearly full/]],
  ['a disk that is full', { request: disk(10) }, [/^fail database: the disk is full/]],
  [
    'no daemon',
    async () => ({ env: { NAMEAUTH_NAMES_BIND: `127.0.0.1:${await freePort()}` } }),
    [/^fail daemon: nothing answers at/],
  ],
  [
    'a port that is taken',
    async () => ({ env: { NAMEAUTH_NAMES_BIND: (await serving((_q, answer) => answer.end('hello'))).slice(7) } }),
    [/^fail daemon: .* answers 200, but not as a name authority does/],
  ],
  [
    'no proxy',
    async () => ({ env: { NAMEAUTH_BASE_URL: `http://127.0.0.1:${await freePort()}` } }),
    [/^fail address: .*nostr\.json.* cannot be reached/, /^fail address: .*health cannot be reached/],
  ],
  [
    'a domain without DNS',
    { env: { NAMEAUTH_BASE_URL: 'https://nowhere.invalid', NAMEAUTH_DOMAIN: 'nowhere.invalid' } },
    [/^fail address: .*nostr\.json.* cannot be reached/, /^fail address: .*health cannot be reached/],
  ],
  [
    'a proxy that redirects the document (NIP-05)',
    answering(301, '', { location: 'https://www.names.example/' }),
    [/^fail address: .* redirects, which NIP-05 forbids/, /^fail address: .*health answers 301/],
  ],
  [
    'a proxy that leads to some other site',
    answering(404, '<html>'),
    [/^fail address: .* answers 404, but not as/, /^fail address: .*health answers 404/],
  ],
  [
    'an authority of a third party there',
    async () => ({ env: { NAMEAUTH_BASE_URL: await serving(elsewhere) } }),
    [/^fail address: .* does not know a name of ours/, /^fail address: another name authority answers/],
  ],
  [
    'a proxy that loses CORS',
    { faults: { loses: ['access-control-allow-origin'] } },
    [/^warn address: .* lacks Access/],
  ],
  [
    'a proxy that hides addresses',
    { env: { NAMEAUTH_TRUSTED_PROXIES: '127.0.0.1' }, faults: { address: 'dropped' } },
    [/^fail address: the name authority sees every client as 127\.0\.0\.1/],
  ],
  [
    'a proxy that believes clients',
    { faults: { address: 'claimed' } },
    [/^fail address: the proxy passes on whatever/],
  ],
  [
    'a proxy for short requests',
    { faults: { mostBytes: 4_000 } },
    [/^fail address: the proxy refuses requests of 12 KB/],
  ],
  [
    'a till that is away',
    async () => ({ env: { NAMEAUTH_PAY_URL: `http://127.0.0.1:${await freePort()}` } }),
    [/^fail pay: /],
  ],
  [
    'a till that does not take our token',
    { also: () => put('secrets/token', `pay_live_${'5e'.repeat(32)}\n`, `${TOKEN}\n`) },
    [/^fail pay: /],
  ],
  [
    'a node that is behind',
    async () => ({ env: { NAMEAUTH_GRIN_NODE_URL: `${await serving(nodeListener('mainnet', 300))}/v2/foreign` } }),
    [/^fail node .*: its newest block is 300 minutes old/],
  ],
  [
    'no node',
    async () => ({ env: { NAMEAUTH_GRIN_NODE_URL: `http://127.0.0.1:${await freePort()}/v2/foreign` } }),
    [/^fail node .*: nothing listens there/],
  ],
  ['a clock that is 2 minutes ahead', { request: ahead(120_000) }, [/^fail clock: this machine is 120 s ahead/]],
  ['no unit', { also: gone('grinpay-nameauth.service') }, [/^warn service: no unit starts it/]],
  [
    'a unit without watchdog',
    { also: unit((text) => text.replace('WatchdogSec=60s\n', '')) },
    [/^warn service: .* a standstill goes unnoticed/],
  ],
  [
    'a unit that does not hand over the token',
    { also: unit((text) => text.replace(/^LoadCredential=nameauth_.*$/m, '')) },
    [/^fail service: .* does not hand over NAMEAUTH_PAY_TOKEN_FILE/],
  ],
  ['no timer for backups', { also: gone('grinpay-backup-nameauth.timer') }, [/^warn service: nothing copies its data/]],
  ['a backup of three days ago', { also: copies(3) }, [/^warn service: the newest copy of its data is 3 days old/]],
]

const elsewhere: RequestListener = ({ url }, answer) => {
  if (url === '/api/v1/health') return void answer.end('ok')
  answer.writeHead(200, OPEN).end(url?.startsWith('/.well-known') ? '{"names":{},"relays":{}}' : '{"process":"other"}')
}

function put(name: string, text: string, right: string): void {
  writeFileSync(at(name), text)
  onTestFinished(() => writeFileSync(at(name), right))
}

describePlanted({ is: 'a name authority', table: 'nameauth', least: 12 }, PLANTED, diagnosis, () => [[folder, '…']])
