// The operator's lists as a file beside the database: shared with commands and editors, watched, audited.
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { openListStore, openLiveLists } from '../../src/daemons/parts/relay/lists.js'
import { NO_LISTS } from '../../src/relay/policy/index.js'
import { systemClock } from '../../src/system/index.js'
import { createFakeClock } from '../support/fake-clock.js'
import { createKeptLog } from '../support/kept-log.js'
import { temporaryFolder } from '../support/temporary-store.js'
import { codeOf } from '../support/vectors.js'

const [ADA, BOB, ID] = ['a1'.repeat(32), 'b2'.repeat(32), 'e1'.repeat(32)] as const
let folder: string
let dbPath: string
let path: string

beforeEach(() => {
  const place = temporaryFolder()
  folder = place.folder
  dbPath = join(folder, 'relay.db')
  path = join(folder, 'relay-lists.json')
  onTestFinished(place.remove)
})

const ban = (entry: string) => ({ do: 'add', list: 'bannedKeys', entry, reason: 'spam' }) as const
const removed: string[][] = []

async function live() {
  const [clock, log] = [createFakeClock(), createKeptLog()]
  removed.length = 0
  const lists = await openLiveLists({
    dbPath,
    clock,
    log: log as unknown as Parameters<typeof openLiveLists>[0]['log'],
    removeEvents: async (ids) => removed.push([...ids]),
  })
  return { lists, clock, log }
}

test('without a file nothing is listed, and none is made', async () => {
  const { lists } = await live()
  expect(lists.current()).toEqual(NO_LISTS)
  expect(readdirSync(folder)).toEqual([])
})

test('a change is in force, in a private file, and in the audit', async () => {
  const { lists, clock } = await live()
  await lists.change(ban(ADA), BOB)
  expect([...lists.current().bannedKeys]).toEqual([[ADA, { reason: 'spam', since: clock.now() }]])
  expect(readdirSync(folder).sort()).toEqual(['relay-audit.jsonl', 'relay-lists.json'])
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(join(folder, 'relay-audit.jsonl'), 'utf8'))).toEqual({
    at: new Date(clock.now()).toISOString(),
    by: BOB,
    ...ban(ADA),
  })
  expect((await live()).lists.current()).toEqual(lists.current())
})

test('lists that are written in several steps come back whole, in their order', async () => {
  const keys = Array.from({ length: 2500 }, (_, n) => (n * 7919 + 1).toString(16).padStart(64, '0'))
  writeFileSync(path, JSON.stringify({ bannedKeys: Object.fromEntries(keys.map((key) => [key, { reason: '"a"\n' }])) }))
  const { lists } = await live()
  await lists.change(ban(ADA), BOB)
  const again = (await live()).lists.current()
  expect(again).toEqual(lists.current())
  expect([...again.bannedKeys.keys()]).toEqual([...keys, ADA])
})

test('what the relay wrote itself it does not read again', async () => {
  const { lists } = await live()
  await lists.change(ban(ADA), BOB)
  const before = lists.current()
  await lists.reload()
  expect(lists.current()).toBe(before)
})

describe('others change it too', () => {
  test('what a command does is there after the next look', async () => {
    const { lists, clock } = await live()
    const aborter = new AbortController()
    await lists.part.start(aborter.signal)
    const command = await openListStore({ dbPath, clock })
    await command.change(ban(ADA), 'command')
    expect(lists.current().bannedKeys).toEqual(new Map())
    await lookedAgain(clock, () => lists.current().bannedKeys.has(ADA))
    expect([...lists.current().bannedKeys.keys()]).toEqual([ADA])
    await lists.part.stop()
  })

  test('no change is lost, however many write at once', async () => {
    const { clock } = await live()
    const stores = await Promise.all(Array.from({ length: 4 }, () => openListStore({ dbPath, clock: systemClock })))
    const keys = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(64, '0'))
    await Promise.all(keys.map((key, n) => stores[n % 4]?.change(ban(key), 'command')))
    const lists = (await openListStore({ dbPath, clock })).read()
    expect([...lists.bannedKeys.keys()].sort()).toEqual(keys)
    expect(readFileSync(join(folder, 'relay-audit.jsonl'), 'utf8').trim().split('\n').length).toBe(20)
  })

  test('a file written by hand may leave out what it does not need', async () => {
    writeFileSync(path, JSON.stringify({ bannedKeys: { [ADA]: {} } }))
    expect((await live()).lists.current()).toEqual({
      ...NO_LISTS,
      bannedKeys: new Map([[ADA, { reason: '', since: 0 }]]),
    })
  })

  test('a file that is gone is empty again', async () => {
    writeFileSync(path, JSON.stringify({ bannedKeys: { [ADA]: {} } }))
    const { lists } = await live()
    rmSync(path)
    await lists.reload()
    expect(lists.current().bannedKeys).toEqual(new Map())
  })
})

test('an address of the file has one spelling when it is read', async () => {
  const blockedAddresses = { '2001:0DB8:0::1': { reason: 'spam' }, '::ffff:203.0.113.7': {} }
  writeFileSync(path, JSON.stringify({ blockedAddresses }))
  const { lists } = await live()
  expect([...lists.current().blockedAddresses.keys()]).toEqual(['2001:db8::1', '203.0.113.7'])
})

describe('a damaged file', () => {
  const damaged = [
    'nonsense',
    '[]',
    '{"bannedKeys":[]}',
    '{"bannedKeys":{"dead":{}}}',
    `{"bannedKeys":{"${ADA.toUpperCase()}":{}}}`,
    '{"allowedKinds":{"-1":{}}}',
    '{"blockedAddresses":{"example.org":{}}}',
    '{"banned":{}}',
    '{"info":{"name":5}}',
  ]

  test.each(damaged)('%s stops the start', async (text) => {
    writeFileSync(path, text)
    expect(await codeOf(live)).toBe('DOCUMENT_DAMAGED')
  })

  test('leaves a running relay as it was, and is logged', async () => {
    const { lists, log } = await live()
    await lists.change(ban(ADA), 'command')
    writeFileSync(path, '{"bannedKeys":')
    await lists.reload()
    expect([...lists.current().bannedKeys.keys()]).toEqual([ADA])
    expect(log.lines.at(-1)?.level).toBe('error')
    expect(await codeOf(() => lists.change(ban(BOB), 'command'))).toBe('DOCUMENT_DAMAGED')
    expect(readFileSync(path, 'utf8')).toBe('{"bannedKeys":')
  })
})

describe('events that are banned leave the store', () => {
  const banEvent = (entry: string) => ({ do: 'add', list: 'bannedEvents', entry, reason: '' }) as const

  test('at the start, when it happens here, and when others do it; each once', async () => {
    writeFileSync(path, JSON.stringify({ bannedEvents: { [ID]: {} } }))
    const { lists, clock } = await live()
    expect(removed).toEqual([[ID]])
    await lists.change(banEvent(ADA), 'command')
    expect(removed).toEqual([[ID], [ADA]])
    await (await openListStore({ dbPath, clock })).change(banEvent(BOB), 'command')
    await lists.reload()
    expect(removed).toEqual([[ID], [ADA], [BOB]])
    await lists.reload()
    expect(removed.length).toBe(3)
  })
})

describe('the turn of who changes the file', () => {
  test('that a killed process kept is over after ten seconds', async () => {
    const { clock } = await live()
    writeFileSync(`${path}.lock`, '')
    utimesSync(`${path}.lock`, clock.now() / 1000, clock.now() / 1000)
    await clock.advance(10_001)
    await (await openListStore({ dbPath, clock })).change(ban(ADA), 'command')
    expect(readdirSync(folder)).not.toContain('relay-lists.json.lock')
  })

  test('is not waited for longer than five seconds', async () => {
    const { clock } = await live()
    mkdirSync(`${path}.lock`)
    utimesSync(`${path}.lock`, clock.now() / 1000, clock.now() / 1000)
    const store = await openListStore({ dbPath, clock })
    let outcome = 'waiting'
    void codeOf(() => store.change(ban(ADA), 'command')).then((code) => {
      outcome = code
    })
    await lookedAgain(clock, () => outcome !== 'waiting')
    expect(outcome).toBe('FILE_LOCKED')
  })
})

/** Lets time pass until it happened, but only while a test waits for it: the disk takes turns of its own. */
async function lookedAgain(clock: ReturnType<typeof createFakeClock>, happened: () => boolean): Promise<void> {
  const step = async () => {
    if (clock.sleepers() > 0 && !happened()) await clock.advance(100)
    return happened()
  }
  await expect.poll(step, { timeout: 20_000, interval: 1 }).toBe(true)
}
