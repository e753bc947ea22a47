// What the doctor says of a relay: of one that is well, and of every fault that is planted in one, on real sockets.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEnvironment } from '../../src/config/index.js'
import { examineRelay, RELAY_CHECK_NAMES } from '../../src/doctor/index.js'
import type { RelayRequest } from '../../src/doctor/relay/examine.js'
import { openEventReader } from '../../src/storage/index.js'
import { systemClock } from '../../src/system/index.js'
import { type Faults, frontProxy } from '../support/front-proxy.js'
import { serving } from '../support/local-server.js'
import { keyPairOf } from '../support/nostr.js'
import { expectTable, type TableRow } from '../support/planted.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { freePort } from '../support/till-process.js'
import { type InstalledUnits, installUnits } from '../support/units.js'

/** How long a websocket is held in silence; this alone is over sooner than in earnest. */
const HOLD_MS = 60_000
const HELD_MS = 20
/** The check before that one: after its finding, no other needs a websocket any more. */
const LAST_BUT_IDLE = 'service'
const clock = {
  now: systemClock.now,
  monotonic: systemClock.monotonic,
  sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms === HOLD_MS ? HELD_MS : ms, signal),
}

/** A proxy that closes a websocket which is held in silence, as soon as all other checks are done: no time decides. */
function aCloser() {
  const closing = new AbortController()
  const begun = systemClock.now()
  let [isHeld, areOthersDone] = [false, false]
  const look = () => isHeld && areOthersDone && closing.abort()
  return {
    closes: closing.signal,
    clock: {
      ...clock,
      /** It stands still: it measures how long the websocket lived. */
      now: () => begun,
      sleep(ms: number, signal?: AbortSignal) {
        if (ms !== HOLD_MS) return clock.sleep(ms, signal)
        isHeld = true
        look()
        return systemClock.sleep(ms, signal)
      },
    },
    tell({ check }: { readonly check: string }) {
      areOthersDone ||= check === LAST_BUT_IDLE
      look()
    },
  }
}

interface Planted {
  /** Settings by section, as lines. */
  readonly toml?: Readonly<Record<string, string>>
  readonly faults?: Faults
  /** The proxy closes websockets that are silent. */
  readonly closesSilent?: boolean
  /** False: the relay does not run. */
  readonly runs?: boolean
  /** False: the proxy does not run. */
  readonly isFronted?: boolean
  /** Done to the machine before the doctor comes. */
  readonly also?: (there: Scene) => void | Promise<void>
  /** Done to its units and copies. */
  readonly change?: (units: InstalledUnits) => void
  readonly request?: Partial<RelayRequest>
  /** Findings that follow from the fault and stand beside it. */
  readonly follows?: readonly RegExp[]
}

interface Scene {
  readonly folder: string
  readonly file: string
  readonly port: number
  readonly text: string
}

const SECTIONS = { info: '', network: '' }

/** A relay behind a proxy, with something wrong, and the doctor's findings as `level check detail`. */
async function diagnosis(planted: Planted) {
  const { toml = {}, runs = true, isFronted = true, closesSilent = false, also, change } = planted
  const { closes, ...watching } = aCloser()
  const faults = { ...planted.faults, closes }
  const request = { clock, ...(closesSilent && watching), ...planted.request }
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [port, front] = [await freePort(), await freePort()]
  const given: Readonly<Record<string, string>> = { ...SECTIONS, ...toml }
  const own: Readonly<Record<string, string>> = {
    info: given.info?.includes('relay_url') ? '' : `relay_url = "ws://127.0.0.1:${front}"`,
    network: given.network?.includes('port =') ? '' : `port = ${port}`,
  }
  const text = Object.entries(given)
    .map(([section, lines]) => `[${section}]\n${own[section] ?? ''}\n${lines}\n`)
    .join('')
  const file = join(folder, 'relay.toml')
  writeFileSync(file, text, { mode: 0o644 })
  if (runs) {
    const relay = await relayDaemon(text, { dataDir: folder })
    onTestFinished(relay.close)
    await relay.daemon.start()
  }
  if (isFronted) await frontProxy(front, port, faults)
  const scene = { folder, file, port, text }
  await also?.(scene)
  const units = installUnits({ daemon: 'relay', folder, settingsFile: file, folders: [folder], port })
  units.copyAt(systemClock.now())
  await change?.(units)
  const variables = { RELAY_DATABASE_DATA_DIRECTORY: folder }
  const sources = { environment: openEnvironment({ variables }), file: { path: file, text: scene.text } }
  const findings = await examineRelay({ sources, services: units.services, ...request })
  return {
    findings,
    folder,
    port,
    front,
    lines: findings.map(({ level, check, detail }) => `${level} ${check} ${detail}`),
  }
}

test('a relay that is well passes everything, and keeps nothing of ours', async () => {
  const { lines, folder } = await diagnosis({
    toml: { management: `admins = ["${keyPairOf('alice').pubkey}"]` },
  })
  expect(lines.filter((line) => !line.startsWith('pass'))).toEqual([])
  expect(new Set(lines.map((line) => line.split(' ')[1]))).toEqual(
    new Set(RELAY_CHECK_NAMES.filter((name) => !['names', 'cluster'].includes(name))),
  )
  const reader = await openEventReader({ path: join(folder, 'relay.db'), clock })
  const { events } = await reader.stats().finally(() => reader.close())
  expect(events).toBe(0)
})

const NO_DAEMON = /^fail daemon nothing answers at/
const NO_TIME = /^warn clock no relay or node that was asked/
const NAMES = {
  name_authority: 'enabled = true\ndomain = "127.0.0.1"\nbase_url = "http://127.0.0.1:1"',
}
const upstream = (url: string) => ({ authority: `mode = "upstream"\nupstream = "${url}"` })
const MEBIBYTE = 1024 * 1024
const disk = (free: number) => ({ roomOf: async () => ({ free: free * MEBIBYTE, total: 100_000 * MEBIBYTE }) })
const answering = (status: number, body: string, headers?: Readonly<Record<string, string>>): Planted => ({
  faults: { answers: { status, body, ...(headers && { headers }) } },
})
const DOCUMENT = { name: 'x', supported_nips: [1], limitation: {} }
const document = (over: object): Planted =>
  answering(200, JSON.stringify({ ...DOCUMENT, ...over }), { 'access-control-allow-origin': '*' })

/** What is planted, and what must be found: level, check, words of the finding. */
const PLANTED: readonly (readonly [name: string, plant: Planted, found: RegExp])[] = [
  ['a setting that is none', { runs: false, toml: { limits: 'max_limits = 7' } }, /^fail settings unknown setting/],
  [
    'settings others can change',
    { also: ({ file }) => chmodSync(file, 0o666) },
    /^fail settings .*relay\.toml can be changed by/,
  ],
  [
    'a database open to all',
    { also: ({ folder }) => chmodSync(folder, 0o755) },
    /^fail settings .* is open to other users/,
  ],
  [
    'a secret others can read',
    {
      follows: [/^warn daemon is not well/],
      toml: {
        ...NAMES,
        pay: 'pay_mode = "name"\nurl = "http://127.0.0.1:9"\napi_token = "pay_live_xxxxxxxx"',
      },
    },
    /^fail settings .*relay\.toml holds a secret and can be read/,
  ],
  ['no daemon', { runs: false, follows: [/^warn database there is none/] }, /^fail daemon nothing answers at/],
  ['a database that was never made', { runs: false, follows: [NO_DAEMON] }, /^warn database there is none/],
  [
    'a database of another kind',
    {
      runs: false,
      follows: [NO_DAEMON],
      also: ({ folder }) => writeFileSync(join(folder, 'relay.db'), 'no database at all'.repeat(400)),
    },
    /^fail database /,
  ],
  [
    'a relay that uses another database',
    {
      follows: [/^fail database .* has schema 0/],
      also: async ({ folder }) => {
        const other = await relayDaemon('', {})
        onTestFinished(other.close)
        const { cpSync } = await import('node:fs')
        rmSync(join(folder, 'relay.db'))
        cpSync(join(other.dataDir, 'relay.db'), join(folder, 'relay.db'))
        for (const left of ['relay.db-wal', 'relay.db-shm', 'relay.db.lock'])
          rmSync(join(folder, left), { force: true })
      },
    },
    /^fail database what answers at .* does not use/,
  ],
  ['a disk that is nearly full', { request: disk(5_000) }, /^warn database the disk is nearly full: 5000 MiB/],
  ['a disk that is full', { request: disk(10) }, /^fail database the disk is full/],
  [
    'lists that cannot be read',
    { also: ({ folder }) => writeFileSync(join(folder, 'relay-lists.json'), '{"bannedKeys": 7}') },
    /^fail lists /,
  ],
  [
    'no public address',
    { toml: { info: '#relay_url' }, follows: [NO_TIME] },
    /^warn address info\.relay_url is not set/,
  ],
  ['no proxy', { isFronted: false, follows: [NO_TIME] }, /^fail address .* cannot be reached: connect ECONNREFUSED/],
  [
    'an unknown host',
    { toml: { info: 'relay_url = "ws://nowhere.invalid"' }, follows: [NO_TIME] },
    /^fail address .* cannot be reached/,
  ],
  ['a proxy that leads elsewhere', answering(200, '<html>'), /^fail address .* without a relay document/],
  ['a proxy that redirects', answering(301, '', { location: 'https://x.example' }), /^fail address .* redirects/],
  ['another relay there', document({}), /^fail address another relay answers at/],
  [
    'a proxy that loses CORS',
    { faults: { loses: ['access-control-allow-origin'] } },
    /^warn address .* lacks Access-Control-Allow/,
  ],
  ['a document with control characters', document({ description: 'a\u0007b' }), /^fail address .* control characters/],
  [
    'a document for small messages',
    document({ limitation: { max_message_length: 65_536 } }),
    /^fail address max_message_length is below/,
  ],
  [
    'a document for new events',
    document({ limitation: { created_at_lower_limit: 60 } }),
    /^fail address created_at_lower_limit/,
  ],
  [
    'a document that asks for money',
    document({ limitation: { payment_required: true } }),
    /^fail address payment_required/,
  ],
  [
    'writers who must say who they are',
    {
      toml: { authorization: 'require_auth_to_write = true' },
      follows: [/^warn settings not everybody may publish/, /^warn address restricted_writes/],
    },
    /^warn address auth_required is true/,
  ],
  ['a proxy without Upgrade', { faults: { noUpgrade: true } }, /^fail address no websocket opens/],
  [
    'a proxy that hides addresses',
    { faults: { address: 'dropped' } },
    /^fail address the relay sees every client as 127\.0\.0\.1/,
  ],
  [
    'a proxy that believes clients',
    { faults: { address: 'claimed' } },
    /^fail address the proxy passes on whatever address/,
  ],
  [
    'a proxy for short messages',
    { faults: { mostBytes: 20_000 }, follows: [/^fail wraps refuses a gift wrap of 40 KB/] },
    /^fail address a websocket opens, but a message of/,
  ],
  [
    'a proxy for short requests',
    {
      faults: { mostBytes: 50_000 },
      follows: [/^fail address a websocket opens, but/],
      toml: { management: `admins = ["${keyPairOf('alice').pubkey}"]` },
    },
    /^fail address the proxy refuses requests of managers/,
  ],
  [
    'gift wraps that are not taken',
    { toml: { limits: 'event_kind_allowlist = [0, 1]' } },
    /^fail wraps refuses a gift wrap/,
  ],
  [
    'events that must be small',
    { toml: { limits: 'max_event_bytes = 20000' } },
    /^fail wraps refuses a gift wrap of 40 KB/,
  ],
  [
    'an authority that is down',
    { toml: upstream('http://127.0.0.1:9'), follows: [/^warn daemon is not well/] },
    /^fail names the name authority at .* cannot be reached/,
  ],
  [
    'names behind a proxy that loses CORS',
    {
      toml: NAMES,
      faults: { loses: ['access-control-allow-origin'] },
      follows: [/^warn address .* lacks Access-Control-Allow-Origin/],
    },
    /^warn names .* lacks Access-Control-Allow-Origin/,
  ],
  ['no unit', { change: ({ unit }) => rmSync(unit) }, /^warn service no unit starts it/],
  [
    'a unit without watchdog',
    { change: ({ unit }) => writeFileSync(unit, readFileSync(unit, 'utf8').replace('WatchdogSec=60s\n', '')) },
    /^warn service .* a standstill goes unnoticed/,
  ],
  [
    'no backup yet',
    { change: ({ services }) => rmSync(join(services.copies, 'grinpay-backup-relay'), { recursive: true }) },
    /^warn service there is no copy of its data/,
  ],
  [
    'a machine without the C library for signatures',
    { request: { signatureCheck: () => 'webassembly' } },
    /^warn signatures signatures are checked in WebAssembly, because the package secp256k1 does not load/,
  ],
  ['a proxy that closes silent websockets', { closesSilent: true }, /^fail idle a silent websocket is closed after/],
]

const rows: (TableRow & { readonly folder: string })[] = []

test.each(PLANTED)('%s is found, and nothing else but what follows from it', async (fault, plant, found) => {
  const { findings, lines, folder } = await diagnosis(plant)
  rows.push({ fault, findings, folder })
  const wrong = lines.filter((line) => !line.startsWith('pass'))
  expect(wrong.join('\n')).toMatch(new RegExp(found.source, 'm'))
  const known = [found, ...(plant.follows ?? [])]
  expect(wrong.filter((line) => !known.some((form) => form.test(line)))).toEqual([])
  for (const { level, remedy = '' } of findings) expect(remedy === '').toBe(level === 'pass')
})

test('the page of the doctor has the table of these faults', () => {
  expect(rows.length).toBe(PLANTED.length)
  expectTable(
    'relay',
    rows,
    rows.map(({ folder }) => [folder, '…'] as const),
  )
})

test('a clock that is wrong is found by the authority that shows the time', async () => {
  const url = await serving((_request, answer) =>
    answer.writeHead(200, { date: new Date(systemClock.now() - 3_600_000).toUTCString() }).end('ok'),
  )
  const { lines } = await diagnosis({ toml: upstream(url), isFronted: false, request: { only: ['clock'] } })
  expect(lines).toEqual([expect.stringMatching(/^fail clock this machine is 3600 s ahead/)])
})

test('something else at the place of the authority, and at that of the relay', async () => {
  const url = await serving((_request, answer) => answer.writeHead(404).end('hello'))
  const { lines } = await diagnosis({
    runs: false,
    toml: { ...upstream(url), network: `port = ${new URL(url).port}` },
    request: { only: ['daemon', 'names'] },
  })
  expect(lines).toEqual([
    `fail daemon ${url} answers 404, but not as a relay does`,
    `fail names ${url} answers 404, but not as a name authority does`,
  ])
})

test('the doctor makes no database where there is none', async () => {
  const { folder } = await diagnosis({ runs: false })
  expect(existsSync(join(folder, 'relay.db'))).toBe(false)
})

test('settings in a shared folder with the sticky bit are no fault, in an open one they are', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-shared-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'relay.toml')
  const look = async (mode: number) => {
    chmodSync(folder, mode)
    const environment = openEnvironment({ variables: { RELAY_DATABASE_DATA_DIRECTORY: '/nowhere' } })
    writeFileSync(path, '[info]\n', { mode: 0o644 })
    const sources = { environment, file: { path, text: '[info]\n' } }
    const findings = await examineRelay({ sources, clock, only: ['settings'] })
    return findings.filter(({ level }) => level !== 'pass').map(({ detail }) => detail)
  }
  expect(await look(0o1777)).toEqual([])
  expect(await look(0o777)).toEqual([
    `${folder} can be changed by other users, and the settings in it replaced (mode 0777)`,
  ])
})
