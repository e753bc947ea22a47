// Exports and imports of the relay's console: real files, a real store, a real relay on its own address, threads as they are.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { outcomesOf } from '../../src/daemons/parts/relay/console-running.js'
import { createMoves } from '../../src/daemons/parts/relay/moving/moves.js'
import { relayBeside } from '../../src/daemons/parts/relay/relay-beside.js'
import type { NostrEvent } from '../../src/nostr/event/index.js'
import type { Move, Moves } from '../../src/relay/console/index.js'
import { systemClock } from '../../src/system/index.js'
import { createLog } from '../../src/system/log.js'
import { relayDaemon } from '../support/relay-daemon.js'
import { anEvent, SECONDS } from '../support/relay-parts.js'

const log = createLog({ human: false, write: () => undefined })
/** Threads load their modules from source. */
const SLOWLY = { timeout: 25_000 }
const ALL = { kinds: undefined, since: undefined, until: undefined }

async function running(toml = '') {
  const relay = await relayDaemon(toml)
  await relay.daemon.start()
  const { dbPath } = relay.config
  const url = relay.daemon.address().replace('http', 'ws')
  const { moves, part } = createMoves({
    places: () => ({ dbPath, url, maxMessageBytes: relay.config.relay.limits.maxMessageBytes }),
    clock: systemClock,
    log,
    patienceMs: SLOWLY.timeout,
  })
  onTestFinished(async () => {
    await part.stop()
    await relay.close()
  })
  const folder = join(dirname(dbPath), 'event-files')
  return {
    ...{ moves, part, folder, relay },
    store: (events: readonly NostrEvent[]) => relay.daemon.relay.ingest(events, { type: 'Import', info: 'test' }),
    write(name: string, lines: readonly (string | object)[]) {
      mkdirSync(folder, { recursive: true })
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(join(folder, name), texts.join('\n'))
    },
  }
}

const profiles = (many: number): readonly NostrEvent[] =>
  Array.from({ length: many }, (_, at) => anEvent(`person ${at}`, { kind: 0, content: '{}', created_at: SECONDS - at }))
const wrap = (at: number) => anEvent('mallory', { kind: 1059, tags: [['p', '0'.repeat(64)]], created_at: SECONDS - at })

async function ended(moves: Moves): Promise<Move> {
  await expect.poll(() => moves.moves()[0]?.endedAt, SLOWLY).toEqual(expect.any(Number))
  const [move] = moves.moves()
  if (!move) throw new Error('nothing was moved')
  return move
}

const idsIn = (text: string): readonly string[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).id)

test('an export is a whole file, oldest first, that only its owner reads', async () => {
  const { moves, store, folder } = await running()
  const events = profiles(30)
  await store(events)
  expect((await moves.folder()).files).toEqual([])
  const { file } = await moves.startExport(ALL, 'anna')
  const move = await ended(moves)
  expect(move).toMatchObject({ kind: 'export', by: 'anna', state: 'done', events: 30, totalEvents: 30, problem: null })
  expect(file).toMatch(/^events-\d{8}-\d{6}\.jsonl$/)
  expect(readdirSync(folder)).toEqual([file])
  const { mode, size } = statSync(join(folder, file))
  expect([mode & 0o777, size]).toEqual([0o600, move.bytes])
  expect(idsIn(readFileSync(join(folder, file), 'utf8'))).toEqual(events.map(({ id }) => id).toReversed())
  expect((await moves.folder()).files).toMatchObject([{ name: file, bytes: size, isWhole: true }])
  const chunks: Uint8Array[] = []
  for await (const chunk of await moves.read(file)) chunks.push(chunk)
  expect(Buffer.concat(chunks)).toEqual(readFileSync(join(folder, file)))
})

test('an export of kinds and days holds those alone; two in one second have two names', async () => {
  const { moves, store, folder } = await running()
  const [young, old] = [wrap(0), wrap(90_000)]
  await store([...profiles(3), young, old])
  const first = await moves.startExport({ kinds: [1059], since: SECONDS - 10, until: undefined }, 'anna')
  expect(await ended(moves)).toMatchObject({ events: 1, totalEvents: 1 })
  const second = await moves.startExport({ kinds: [1059, 7], since: undefined, until: undefined }, 'anna')
  await expect.poll(() => moves.moves().filter(({ state }) => state === 'done').length, SLOWLY).toBe(2)
  expect(idsIn(readFileSync(join(folder, first.file), 'utf8'))).toEqual([young.id])
  expect(idsIn(readFileSync(join(folder, second.file), 'utf8'))).toEqual([old.id, young.id])
  expect(new Set([first.file, second.file]).size).toBe(2)
})

test('an import tells what was stored, known and refused, by reason and line; again it stores nothing', async () => {
  const { moves, write, relay, store } = await running()
  const [known, ...others] = profiles(250)
  if (!known) throw new Error('there are events')
  await store([known])
  const forged = { ...wrap(5), sig: '0'.repeat(128) }
  const huge = `{"content":"${'x'.repeat(4 * 262_144)}"}`
  write('in.jsonl', [known, ...others, 'no json', forged, huge, anEvent('eve', { kind: 1 }), ''])
  await moves.startImport('in.jsonl', 'anna')
  const { state, result, bytes, totalBytes, events } = await ended(moves)
  expect([state, events, bytes]).toEqual(['done', 254, totalBytes])
  expect(result).toMatchObject({ stored: 249, known: 1, outdated: 0, refused: 4 })
  expect(result?.reasons).toMatchObject({
    'invalid: not JSON': 1,
    'invalid: bad signature': 1,
    'invalid: line too long': 1,
  })
  expect(result?.examples[0]).toEqual({ line: 251, id: '?', reason: 'invalid: not JSON' })
  expect(relay.daemon.relay.metrics().connected).toBe(1)
  await moves.startImport('in.jsonl', 'anna')
  await expect.poll(() => moves.moves()[1]?.state, SLOWLY).toBe('done')
  expect((await ended(moves)).result).toMatchObject({ stored: 0, known: 250 })
})

test('one at a time; a stopped import keeps what it stored, and nothing of the rest', async () => {
  const { moves, write, relay } = await running('[limits]\nevents_per_min_per_connection = 120\n')
  write('in.jsonl', profiles(350))
  const { id } = await moves.startImport('in.jsonl', 'anna')
  await expect(moves.startExport(ALL, 'bob')).rejects.toMatchObject({
    ...{ code: 'CONSOLE_MOVE_BUSY', status: 409 },
    message: expect.stringContaining('in.jsonl'),
  })
  const accepted = () => outcomesOf(relay.daemon.relay.metrics().events).accepted
  await expect.poll(accepted, SLOWLY).toBeGreaterThan(50)
  expect(() => moves.stop('1')).toThrow(expect.objectContaining({ code: 'CONSOLE_MOVE_ENDED' }))
  expect(moves.stop(id)).toMatchObject({ state: 'stopping' })
  expect(await ended(moves)).toMatchObject({ state: 'stopped', problem: null })
  expect(() => moves.stop(id)).toThrow(expect.objectContaining({ code: 'CONSOLE_MOVE_ENDED' }))
  await moves.startExport(ALL, 'bob')
  await expect.poll(() => moves.moves()[0]?.state, SLOWLY).toBe('done')
  expect(moves.moves()[0]?.events).toBeGreaterThan(50)
  expect(moves.moves()[0]?.events).toBeLessThan(300)
})

test('a daemon that stops ends an import cleanly, and nothing begins after', async () => {
  const { moves, part, write } = await running('[limits]\nevents_per_min_per_connection = 60\n')
  write('in.jsonl', profiles(300))
  const daemon = new AbortController()
  await part.start(daemon.signal)
  await moves.startImport('in.jsonl', 'anna')
  daemon.abort()
  await part.stop()
  expect(moves.moves()[0]).toMatchObject({ state: 'stopped' })
  await expect(moves.startExport(ALL, 'anna')).rejects.toMatchObject({ code: 'CONSOLE_MOVE_STOPPING' })
})

test('files that cannot be imported are refused by name, and nothing runs', async () => {
  const { moves, write, folder } = await running()
  write('whole.jsonl', profiles(1))
  write('empty.jsonl', [])
  write('blank.jsonl', ['', ''])
  write('notes.txt', ['once upon a time'])
  write('events.jsonl.part', profiles(1))
  mkdirSync(join(folder, 'folder.jsonl'))
  symlinkSync(join(folder, 'whole.jsonl'), join(folder, 'link.jsonl'))
  symlinkSync('/etc/passwd', join(folder, 'passwd'))
  write('.hidden', profiles(1))
  const { files } = await moves.folder()
  expect(files.map(({ name }) => name).sort()).toEqual([
    ...['blank.jsonl', 'empty.jsonl', 'events.jsonl.part', 'notes.txt', 'whole.jsonl'],
  ])
  for (const name of [
    'none.jsonl',
    'folder.jsonl',
    'link.jsonl',
    'passwd',
    '../relay.db',
    '.hidden',
    'events.jsonl.part',
  ])
    await expect(moves.startImport(name, 'anna')).rejects.toMatchObject({
      ...{ code: 'CONSOLE_MOVE_FILE', status: 404 },
      message: expect.stringContaining(name),
    })
  for (const [name, why] of [
    ['empty.jsonl', 'it is empty'],
    ['blank.jsonl', 'blank lines'],
    ['notes.txt', 'line 1 is not JSON'],
  ] as const)
    await expect(moves.startImport(name, 'anna')).rejects.toMatchObject({
      ...{ code: 'CONSOLE_MOVE_NO_EVENTS', status: 400 },
      message: expect.stringMatching(`${name}.*${why}`),
    })
  await expect(moves.read('link.jsonl')).rejects.toMatchObject({ code: 'CONSOLE_MOVE_FILE' })
  expect(moves.moves()).toEqual([])
})

test('a relay out of reach and a folder that cannot be made are errors of the form', async () => {
  const { moves, write, relay, folder } = await running()
  write('in.jsonl', profiles(2))
  await relay.daemon.stop()
  const far = { code: 'CONSOLE_MOVE_RELAY', status: 502, hint: expect.stringContaining('grinpay relay import') }
  await expect(moves.startImport('in.jsonl', 'anna')).rejects.toMatchObject(far)
  expect(moves.moves()).toMatchObject([{ state: 'failed', problem: { code: 'CONSOLE_MOVE_RELAY' } }])
  const blocked = createMoves({
    places: () => ({ dbPath: join(folder, 'in.jsonl', 'relay.db'), url: 'ws://127.0.0.1:1', maxMessageBytes: 1 }),
    ...{ clock: systemClock, log },
  })
  await expect(blocked.moves.startExport(ALL, 'anna')).rejects.toMatchObject({ code: 'CONSOLE_MOVE_UNWRITABLE' })
})

test('what a killed export left is listed as not finished, and the next export removes it', async () => {
  const { moves, write, folder } = await running()
  write('events-20260101-000000.jsonl.part', profiles(1))
  write('events-20260101-000001.jsonl.part', profiles(1))
  write('mine.part', profiles(1))
  const old = join(folder, 'events-20260101-000000.jsonl.part')
  utimesSync(old, SECONDS - 3600, SECONDS - 3600)
  expect((await moves.folder()).files.every(({ isWhole }) => !isWhole)).toBe(true)
  const { file } = await moves.startExport(ALL, 'anna')
  await ended(moves)
  expect(existsSync(old)).toBe(false)
  // The second may be of an export of another console that is under way.
  expect(readdirSync(folder).sort()).toEqual(['events-20260101-000001.jsonl.part', file, 'mine.part'].sort())
})

test('beside the relay, in another process, its settings name database and address', async () => {
  const { write, folder, relay, store } = await running()
  const dataDir = dirname(folder)
  const settingsFile = join(dataDir, 'relay.toml')
  const { moves, close } = relayBeside({ settingsFile, clock: systemClock, log })
  onTestFinished(close)
  await expect(moves.folder()).rejects.toMatchObject({ code: 'CONSOLE_RELAY_UNREACHABLE' })
  await expect(moves.startExport(ALL, 'anna')).rejects.toMatchObject({ code: 'CONSOLE_RELAY_UNREACHABLE' })
  const { port } = new URL(relay.daemon.address())
  writeFileSync(settingsFile, `[network]\nport = ${port}\n[database]\ndata_directory = ${JSON.stringify(dataDir)}\n`)
  await store(profiles(3))
  write('in.jsonl', profiles(7))
  await moves.startImport('in.jsonl', 'anna')
  expect((await ended(moves)).result).toMatchObject({ stored: 4, known: 3 })
  await moves.startExport(ALL, 'anna')
  await expect.poll(() => moves.moves()[0]?.state, SLOWLY).toBe('done')
  expect(moves.moves()[0]).toMatchObject({ kind: 'export', events: 7 })
})
