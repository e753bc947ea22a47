// What the operator does with stored events: relay stats, delete, prune, backup, with a relay that runs and without.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import RelayAllow from '../../../src/commands/relay/allow.js'
import RelayBackup from '../../../src/commands/relay/backup.js'
import RelayDelete from '../../../src/commands/relay/delete.js'
import RelayPrune from '../../../src/commands/relay/prune.js'
import RelayStats from '../../../src/commands/relay/stats.js'
import type { EventText } from '../../../src/nostr/event/index.js'
import { formatNpub } from '../../../src/nostr/nip19/index.js'
import { openEventStore } from '../../../src/storage/index.js'
import { systemClock } from '../../../src/system/index.js'
import { aText, aWrap, keyOf } from '../../support/event-builders.js'
import { idsIn } from '../../support/event-store.js'
import { relayDaemon } from '../../support/relay-daemon.js'
import { runCommandClass } from '../../support/run-command.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const undo: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const step of undo.splice(0).reverse()) await step()
})

const NOW = Math.floor(systemClock.now() / 1000)
const DAY = 86_400
const daysOld = (days: number, members = {}) => aText({ created_at: NOW - days * DAY, ...members })
const NOTES = [daysOld(1), daysOld(40), daysOld(80, { pubkey: keyOf(2) })]
const PROFILE = daysOld(50, { kind: 0, pubkey: keyOf(2), content: '{}' })
const WRAP = aWrap({ created_at: NOW - 90 * DAY })
const ALL = [...NOTES, PROFILE, WRAP]
const idsOf = (...texts: EventText[]) => texts.map(({ event }) => event.id).sort()

let folder: string
beforeEach(async () => {
  const place = temporaryFolder()
  undo.push(place.remove)
  folder = place.folder
  const store = await openEventStore({ path: join(folder, 'relay.db'), clock: systemClock })
  store.append([...ALL, aText({ created_at: NOW, kind: 7, tags: [['expiration', String(NOW + DAY)]] })])
  await store.close()
})

type Command = Parameters<typeof runCommandClass>[0]
const run = async (command: Command, ...argv: string[]) => {
  const ran = await runCommandClass(command, [...argv, '--db', folder])
  return { ...ran, json: argv.includes('--json') ? JSON.parse(ran.stdout) : undefined }
}
const left = () => idsIn(join(folder, 'relay.db'))
const audit = () =>
  readFileSync(join(folder, 'relay-audit.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const sure = ['--reason', 'because', '--yes', '--json']

async function startRelay() {
  const { daemon, close } = await relayDaemon('', { dataDir: folder })
  undo.push(close)
  await daemon.start()
}

describe('relay stats', () => {
  test('counts what there is', async () => {
    const { json } = await run(RelayStats, '--json')
    expect(json).toMatchObject({ running: false, events: 6, wraps: 1, expiring: 1, retention: null })
    expect(json.kinds).toEqual([
      { kind: 1, events: 3 },
      { kind: 0, events: 1 },
      { kind: 7, events: 1 },
      { kind: 1059, events: 1 },
    ])
    expect([json.oldest, json.newest].map((time) => Date.parse(time) / 1000)).toEqual([NOW - 90 * DAY, NOW])
    expect(json.file_bytes).toBe(statSync(join(folder, 'relay.db')).size)
  })

  test('tells people, of a relay that runs as well', async () => {
    vi.stubEnv('RELAY_RETENTION_PERSIST_DAYS', '30')
    await startRelay()
    const { stdout } = await run(RelayStats)
    expect(stdout).toContain('relay\trunning\nevents\t6\ngift wraps\t1\n')
    expect(stdout).toContain('retention\tat most 30 days; gift wraps stay\n')
    expect(stdout).toMatch(/\n\n1\t3\n0\t1\n7\t1\n1059\t1\n$/)
    expect((await run(RelayStats, '--quiet')).stdout).toBe('6\n')
    vi.stubEnv('RELAY_RETENTION_KINDS', '7,20000-29999')
    expect((await run(RelayStats)).stdout).toContain('at most 30 days, only kinds 7 20000-29999; gift wraps stay\n')
    expect((await run(RelayStats, '--json')).json.retention).toMatchObject({ days: 30, kinds: [7, '20000-29999'] })
  })
})

describe('relay delete', () => {
  test.each([
    ['--id', [NOTES[0]?.event.id.toUpperCase() ?? ''], 1],
    ['--author', [formatNpub(keyOf(2))], 2],
    ['--kind', ['1'], 3],
    ['--kind twice', ['1', '--kind', '0'], 4],
    ['--before', ['60d'], 1],
    ['--filter', ['{"kinds":[0]}'], 1],
    ['--author and', [keyOf(2), '--kind', '1'], 1],
  ])('%s %j', async (flag, argv, removed) => {
    const [name = ''] = flag.split(' ')
    const counted = await run(RelayDelete, name, ...argv, '--dry-run', '--json')
    expect(counted.json).toEqual({ matching: removed, removed: 0, dry_run: true })
    expect(left().length).toBe(6)
    const { json, exit } = await run(RelayDelete, name, ...argv, ...sure)
    expect([exit, json]).toEqual([0, { matching: removed, removed, dry_run: false }])
    expect(left().length).toBe(6 - removed)
  })

  test('through the relay that runs', async () => {
    await startRelay()
    const { stdout } = await run(RelayDelete, '--kind', '1', '--reason', 'old', '--yes')
    expect(stdout).toBe('deleted 3 events\n')
    expect((await run(RelayStats, '--json')).json).toMatchObject({ running: true, events: 3 })
  })

  test('leaves gift wraps, unless they are named', async () => {
    await run(RelayDelete, '--before', String(NOW + 1), ...sure)
    expect(left()).toEqual(idsOf(WRAP))
    expect((await run(RelayDelete, '--kind', '1059', ...sure)).json).toMatchObject({ matching: 0, removed: 0 })
    expect((await run(RelayDelete, '--kind', '1059', '--dry-run')).stderr).toContain('--wraps takes them too')
    expect((await run(RelayDelete, '--kind', '1059', '--wraps', ...sure)).json).toMatchObject({ removed: 1 })
    expect(left()).toEqual([])
    expect(audit()).toMatchObject([
      { by: 'command', do: 'delete', removed: 5, wraps: false, reason: 'because', filter: { until: NOW } },
      { do: 'delete', removed: 1, wraps: true },
    ])
  })

  test.each([
    [[], 'name what is to go'],
    [['--kind', '1'], '--reason must say something'],
    [['--kind', '1', '--reason', 'x'], 'Deleting 3 events needs confirmation'],
    [['--filter', '{"kinds":[1],"limit":1}', '--dry-run'], 'limit has no meaning'],
    [['--filter', '{"knids":[1]}', '--dry-run'], 'knids is not a member'],
    [['--author', 'npub1x', '--dry-run'], 'not a valid npub'],
    [['--id', 'abc', '--dry-run'], 'ids holds 64 lower-case hex digits'],
  ])('%j deletes nothing', async (argv, words) => {
    const { exit, stderr } = await run(RelayDelete, ...argv)
    expect([exit, stderr]).toEqual([2, expect.stringContaining(words)])
    expect(left().length).toBe(6)
  })
})

describe('relay prune', () => {
  test('needs rules', async () => {
    const { exit, stderr } = await run(RelayPrune, '--yes')
    expect([exit, stderr]).toEqual([3, expect.stringContaining('everything stays')])
  })

  test.each([
    ['age', { RELAY_RETENTION_PERSIST_DAYS: '45' }, 2],
    ['number', { RELAY_RETENTION_MAX_EVENTS: '2' }, 4],
    ['both', { RELAY_RETENTION_PERSIST_DAYS: '60', RELAY_RETENTION_MAX_EVENTS: '4' }, 2],
    ['age of some kinds', { RELAY_RETENTION_PERSIST_DAYS: '1', RELAY_RETENTION_KINDS: '0' }, 1],
    ['age of a range of kinds', { RELAY_RETENTION_PERSIST_DAYS: '1', RELAY_RETENTION_KINDS: '2-6,0-1' }, 4],
    ['more than may go', { RELAY_RETENTION_MAX_EVENTS: '1', RELAY_RETENTION_KINDS: '1' }, 3],
    ['authors who stay', { RELAY_RETENTION_PERSIST_DAYS: '30', RELAY_RETENTION_WHITELIST_ADDRESSES: keyOf(2) }, 1],
  ])('by %s takes as much as it said it would', async (_, rules, removed) => {
    for (const [name, value] of Object.entries(rules)) vi.stubEnv(name, value)
    expect((await run(RelayPrune, '--dry-run', '--json')).json).toEqual({
      matching: removed,
      removed: 0,
      dry_run: true,
    })
    expect((await run(RelayPrune, '--yes', '--json')).json).toEqual({ matching: removed, removed, dry_run: false })
    expect(left().length).toBe(6 - removed)
    expect(left()).toContain(WRAP.event.id)
    expect(audit()).toMatchObject([{ by: 'command', do: 'prune', removed }])
  })

  test('with --unauthorised takes the notes of unlisted authors', async () => {
    await run(RelayAllow, keyOf(1), '--reason', 'editor')
    const { json } = await run(RelayPrune, '--unauthorised', '--yes', '--json')
    expect(json).toEqual({ matching: 1, removed: 1, dry_run: false })
    expect(left()).not.toContain(NOTES[2]?.event.id)
    expect(left().length).toBe(5)
  })

  test('with --unauthorised takes none where everyone may publish notes', async () => {
    vi.stubEnv('RELAY_AUTHORIZED_AUTHORS', 'everyone')
    const { json } = await run(RelayPrune, '--unauthorised', '--yes', '--json')
    expect(json).toEqual({ matching: 0, removed: 0, dry_run: false })
    expect(left().length).toBe(6)
  })

  test('goes through the relay that runs', async () => {
    vi.stubEnv('RELAY_RETENTION_PERSIST_DAYS', '45')
    await startRelay()
    expect((await run(RelayPrune, '--yes')).stdout).toBe('deleted 2 events\n')
    expect((await run(RelayStats, '--json')).json).toMatchObject({ events: 4, retention: { days: 45 } })
  })
})

describe('relay backup', () => {
  test.each([['runs'], ['does not run']])('is complete while the relay %s', async (how) => {
    if (how === 'runs') await startRelay()
    const copy = join(folder, 'copies', 'relay.db')
    const { json } = await run(RelayBackup, copy, '--json')
    expect(json).toEqual({ file: copy, bytes: statSync(copy).size })
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(idsIn(copy)).toEqual(left())
    const again = await run(RelayBackup, copy)
    expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('it is there already')])
  })

  test('a place that cannot be looked at is a wrong place, not a fault', async () => {
    const { exit, stderr } = await run(RelayBackup, join(folder, 'x'.repeat(300)))
    expect([exit, stderr]).toEqual([2, expect.stringContaining('cannot write')])
  })
})
