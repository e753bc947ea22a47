// Events out of a relay's database and into another one: relay export and relay import, with a relay that runs and without.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import RelayExport from '../../../src/commands/relay/export.js'
import RelayImport from '../../../src/commands/relay/import.js'
import { isGenuine, type NostrEvent } from '../../../src/nostr/event/index.js'
import { relayDaemon } from '../../support/relay-daemon.js'
import { anEvent, SECONDS } from '../../support/relay-parts.js'
import { runCommandClass } from '../../support/run-command.js'
import { temporaryFolder } from '../../support/temporary-store.js'

const undo: (() => unknown)[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const step of undo.splice(0).reverse()) await step()
})

const newFolder = (): string => {
  const { folder, remove } = temporaryFolder()
  undo.push(remove)
  return folder
}
let folder: string
beforeEach(() => {
  folder = newFolder()
})

const profile = (name: string, at = 0) => anEvent(name, { kind: 0, content: '{}', created_at: SECONDS - at })
const EVENTS = ['ada', 'bob', 'eve'].map((name, at) => profile(name, at * 100_000))
const WRAP = anEvent('mallory', { kind: 1059, tags: [['p', EVENTS[0]?.pubkey ?? '']], created_at: SECONDS - 7 })
const GOOD = [...EVENTS, WRAP]
const NOTE = anEvent('ada', { kind: 1 })

function fileOf(lines: readonly (string | object)[], name = 'events.jsonl'): string {
  const path = join(newFolder(), name)
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(path, `${texts.join('\n')}\n`)
  return path
}

const importInto = (where: string, ...argv: string[]) =>
  runCommandClass(RelayImport, [...argv, '--db', where, '--json'])
const exportFrom = (where: string, ...argv: string[]) => runCommandClass(RelayExport, ['--db', where, ...argv])
const eventsIn = (text: string): NostrEvent[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const idsOf = (events: readonly NostrEvent[]) => events.map(({ id }) => id)
const oldestFirst = [...GOOD].sort((a, b) => a.created_at - b.created_at)

/** Its database is in `folder`. */
async function runningRelay(toml = '') {
  const { daemon, close } = await relayDaemon(toml, { dataDir: folder })
  undo.push(close)
  await daemon.start()
  vi.stubEnv('RELAY_NETWORK_PORT', new URL(daemon.address()).port)
  return daemon
}

describe('relay import', () => {
  test('without a relay fills the database, once', async () => {
    const file = fileOf(GOOD)
    const first = await importInto(folder, file)
    expect([first.exit, JSON.parse(first.stdout)]).toMatchObject([0, { through: 'database', lines: 4, stored: 4 }])
    const again = await importInto(folder, file)
    expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, { stored: 0, known: 4, refused: 0 }])
    const exported = eventsIn((await exportFrom(folder)).stdout)
    expect(exported).toEqual(oldestFirst)
    expect(exported.every(isGenuine)).toBe(true)
  })

  test.each(['stopped', 'running'])('takes notes and unknown kinds where everyone may publish: %s', async (state) => {
    const open = {
      RELAY_AUTHORIZED_AUTHORS: 'everyone',
      RELAY_ALLOWED_KINDS: 'all',
      RELAY_OPTIONS_REJECT_PAST_SECONDS: '0',
    }
    const events = [anEvent('eve', { kind: 1984, created_at: 5 }), NOTE]
    const refused = JSON.parse((await importInto(folder, fileOf(events), '--dry-run')).stdout)
    expect(refused).toMatchObject({ refused: 2 })
    for (const [name, value] of Object.entries(open)) vi.stubEnv(name, value)
    expect(JSON.parse((await importInto(folder, fileOf(events), '--dry-run')).stdout)).toMatchObject({ refused: 0 })
    if (state === 'running')
      await runningRelay(
        '[authorization]\npublic_note_authors = "everyone"\n[limits]\nevent_kind_allowlist = "all"\n[options]\nreject_past_seconds = 0',
      )
    const { stdout } = await importInto(folder, fileOf(events))
    expect(JSON.parse(stdout)).toMatchObject({ stored: 2, refused: 0 })
    expect(eventsIn((await exportFrom(folder)).stdout)).toEqual(events)
  })

  test('hands the events to the relay that runs, and its clients see them', async () => {
    const daemon = await runningRelay()
    const { stdout, exit } = await importInto(folder, fileOf(GOOD))
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { through: 'running relay', stored: 4 }])
    expect(daemon.relay.metrics().events.get('accepted gift wrap')).toBe(1)
    expect(eventsIn((await exportFrom(folder)).stdout)).toEqual(oldestFirst)
  })

  test.each(['database', 'running relay'])(
    'through the %s refuses what the policy refuses and what is forged, by line',
    async (through) => {
      if (through === 'running relay') await runningRelay()
      const forged = { ...EVENTS[1], sig: EVENTS[0]?.sig }
      const forgeries = Array.from({ length: 40 }, () => forged)
      const file = fileOf([
        '{"half":',
        EVENTS[0] ?? '',
        NOTE,
        forged,
        { ...EVENTS[2], content: 'other' },
        '7',
        WRAP,
        ...forgeries,
      ])
      const { stdout, exit } = await importInto(folder, file)
      const report = JSON.parse(stdout)
      expect(exit).toBe(6)
      expect(report).toMatchObject({ through, lines: 47, stored: 2, refused: 45 })
      expect(report.examples.slice(0, 5)).toMatchObject([
        { line: 1, id: '?', reason: 'invalid: not JSON' },
        { line: 3, id: NOTE.id, reason: expect.stringContaining('blocked: this relay accepts public notes only') },
        { line: 4, id: EVENTS[1]?.id, reason: 'invalid: bad signature' },
        { line: 5, reason: 'invalid: id is not that of the content' },
        { line: 6, id: '?' },
      ])
      expect(idsOf(eventsIn((await exportFrom(folder)).stdout)).sort()).toEqual([EVENTS[0]?.id, WRAP.id].sort())
    },
  )

  test('says in a dry run what would happen, and changes nothing', async () => {
    await importInto(folder, fileOf([WRAP]))
    const { stdout, exit } = await importInto(folder, fileOf([...GOOD, NOTE]), '--dry-run')
    expect([exit, JSON.parse(stdout)]).toMatchObject([
      6,
      { through: 'nobody', dry_run: true, stored: 3, known: 1, refused: 1 },
    ])
    expect(idsOf(eventsIn((await exportFrom(folder)).stdout))).toEqual([WRAP.id])
    const empty = newFolder()
    expect(JSON.parse((await importInto(empty, fileOf(GOOD), '--dry-run')).stdout)).toMatchObject({ stored: 4 })
    expect(existsSync(join(empty, 'relay.db'))).toBe(false)
  })

  test('without verifying believes signatures but no ids, and only while the relay is stopped', async () => {
    const unsigned = EVENTS.map((event) => ({ ...event, sig: '0'.repeat(128) }))
    const file = fileOf([...unsigned, { ...WRAP, content: 'other' }])
    expect(JSON.parse((await importInto(folder, file, '--no-verify')).stdout)).toMatchObject({ stored: 3, refused: 1 })
    await runningRelay()
    const refused = await importInto(folder, file, '--no-verify')
    expect([refused.exit, JSON.parse(refused.stdout).error.code]).toEqual([6, 'VERIFIED_ONLY'])
  })

  test('takes in old events while the relay is stopped, as a restored export has them', async () => {
    const old = anEvent('ada', { kind: 7, created_at: 1_000_000 })
    expect(JSON.parse((await importInto(folder, fileOf([old]))).stdout)).toMatchObject({ stored: 1 })
  })

  test('takes files of strfry and of the bulk loader', async () => {
    // strfry prints its members sorted, and with --fried one more; the bulk loader's files are as anybody prints events.
    const strfry = EVENTS.map(({ content, created_at, id, kind, pubkey, sig, tags }) =>
      JSON.stringify({ content, created_at, id, kind, pubkey, sig, tags, fried: '00ff' }),
    )
    const bulk = JSON.stringify(WRAP).replaceAll('","', '", "')
    const { stdout, exit } = await importInto(folder, fileOf([...strfry, '', `${bulk}\r`]))
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { lines: 4, stored: 4 }])
    expect(eventsIn((await exportFrom(folder)).stdout)).toEqual(oldestFirst)
  })

  test.each([
    [['/nowhere/events.jsonl'], 2, 'EVENTS_FILE_UNREADABLE'],
    [['/tmp'], 2, 'EVENTS_FILE_UNREADABLE'],
  ])('%j cannot be read', async (argv, exit, code) => {
    const ran = await importInto(folder, ...argv)
    expect([ran.exit, JSON.parse(ran.stdout).error.code]).toEqual([exit, code])
  })

  test('tells people line by line what was refused, and programs a number', async () => {
    const file = fileOf([NOTE, WRAP])
    const { stdout, stderr } = await runCommandClass(RelayImport, [file, '--db', folder])
    expect(stdout).toMatch(/^stored 1, known 0, outdated 0, refused 1\n1\t[0-9a-f]{16}\tblocked: /)
    expect(stderr).toContain('refused 1: blocked: this relay accepts public notes')
    expect((await runCommandClass(RelayImport, [file, '--db', folder, '--quiet'])).stdout).toBe('0\n')
  })
})

describe('relay export', () => {
  beforeEach(async () => void (await importInto(folder, fileOf(GOOD))))

  test('writes a new file that only its owner may read, and no other', async () => {
    const path = join(newFolder(), 'out.jsonl')
    const { exit, stdout, stderr } = await exportFrom(folder, '--output', path)
    expect({ exit, stdout, stderr }).toEqual({ exit: 0, stdout: '', stderr: `4 events written to ${path}\n` })
    expect(eventsIn(readFileSync(path, 'utf8'))).toEqual(oldestFirst)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const again = await exportFrom(folder, '--output', path)
    expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('nothing is overwritten')])
  })

  test('gives what was asked for', async () => {
    const idsFrom = async (...argv: string[]) => idsOf(eventsIn((await exportFrom(folder, ...argv)).stdout))
    const all = idsOf(oldestFirst)
    expect(await idsFrom('--reverse')).toEqual([...all].reverse())
    expect(await idsFrom('--reverse', '--filter', '{"limit":2}')).toEqual([...all].reverse().slice(0, 2))
    expect(await idsFrom('--filter', '{"kinds":[1059]}')).toEqual([WRAP.id])
    expect(await idsFrom('--since', String(SECONDS - 100_000))).toEqual(all.slice(1))
    expect(await idsFrom('--until', new Date((SECONDS - 100_000) * 1000).toISOString().slice(0, 19))).toEqual(
      all.slice(0, 2),
    )
  })

  test.each([
    [['--filter', '[]'], 'not a filter: it is a JSON object'],
    [['--filter', '{"kinds":["1"]}'], 'not a filter: kinds holds whole numbers'],
    [['--filter', '{"kind":1}'], 'not a filter: kind is not a member of filters'],
    [['--filter', '{"limit":2}'], 'limit is of the newest events'],
    [['--filter', '{"since":1}', '--since', '2'], 'since is given twice'],
    [['--since', 'yesterday'], 'not a date: "yesterday"'],
  ])('%j is wrong usage', async (argv, words) => {
    const { exit, stderr } = await exportFrom(folder, ...argv)
    expect([exit, stderr]).toEqual([2, expect.stringContaining(words)])
  })

  test('has nothing to export where no relay ever ran', async () => {
    const { exit, stderr } = await exportFrom(newFolder())
    expect([exit, stderr]).toEqual([3, expect.stringContaining('relay.db')])
  })
})
