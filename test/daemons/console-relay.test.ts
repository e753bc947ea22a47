// The console's view of a real relay: in its process, and beside it.
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadRelayConfig, openEnvironment, type RelayConfig } from '../../src/config/index.js'
import { readRelayBeside } from '../../src/daemons/parts/relay/console-beside.js'
import { observeRelay, type RelayReads } from '../../src/daemons/parts/relay/console-relay.js'
import { readRunningRelay } from '../../src/daemons/parts/relay/console-running.js'
import { openRelayCore } from '../../src/daemons/parts/relay/core.js'
import { relayMetrics } from '../../src/daemons/parts/relay/metrics.js'
import { relayBeside } from '../../src/daemons/parts/relay/relay-beside.js'
import { changeRelayLists } from '../../src/daemons/relay-lists.js'
import { checksOf } from '../../src/daemons/runtime.js'
import { signEvent } from '../../src/nostr/event/index.js'
import { formatNpub } from '../../src/nostr/nip19/index.js'
import { entryPageOf, subjectOf } from '../../src/relay/console/entries.js'
import type { OpenRelay } from '../../src/relay/console/view.js'
import type { ListName, Verifier } from '../../src/relay/index.js'
import { systemClock, systemRandom } from '../../src/system/index.js'
import { createLog } from '../../src/system/log.js'
import { keyPairOf } from '../support/nostr.js'
import { temporaryFolder } from '../support/temporary-store.js'
import { freePort } from '../support/till-process.js'

const ada = keyPairOf('ada')
/** A thread counts, which is started first. */
const SLOWLY = { timeout: 15_000 }
const log = createLog({ human: false, write: () => undefined })
/** Signatures are not what is tested here, and threads that check them are slow to start. */
const verifier: Verifier = { submit: (_, done) => void setImmediate(done, true) }
const context = { version: '0.0.0-test', log, clock: systemClock, random: systemRandom, verifier }

async function openRelay(toml = '') {
  const { folder, remove } = temporaryFolder()
  const environment = openEnvironment({ variables: {} })
  const config = loadRelayConfig({ environment, file: { path: 'relay.toml', text: toml } }, { dataDir: folder })
  const core = await openRelayCore(config, context)
  onTestFinished(async () => {
    await core.close()
    remove()
  })
  const now = Math.floor(systemClock.now() / 1000)
  const event = (kind: number, content: string) =>
    signEvent({ kind, created_at: now, tags: [], content }, ada.secret, systemRandom)
  const publish = (...events: readonly object[]) => core.relay.ingest(events, { type: 'Import', info: 'test' })
  return { config, core, event, publish, folder: dirname(config.dbPath) }
}

const factsOf = (config: RelayConfig) => ({
  ...{ ...config, ...config.relay.info },
  durability: config.relay.durability,
  maxMessageBytes: config.relay.limits.maxMessageBytes,
})

/** What pages do with a view. */
const pagesOf = (open: OpenRelay) => ({
  facts: async () => (await open()).facts,
  activity: async () => (await open()).activity(),
  stored: async () => (await open()).stored(),
  list: async (question: Parameters<typeof entryPageOf>[1]) => entryPageOf(await (await open()).lists(), question),
  subject: async (list: ListName, text: string) => subjectOf(await (await open()).lists(), list, text),
  change: async (...change: Parameters<Awaited<ReturnType<OpenRelay>>['change']>) => (await open()).change(...change),
})

function pagesOn(reads: RelayReads, config: RelayConfig) {
  const { view, part } = observeRelay({ facts: factsOf(config), reads, clock: systemClock, log })
  onTestFinished(() => part.stop())
  return pagesOf(async () => view)
}

const running = async (toml?: string) => {
  const relay = await openRelay(toml)
  const reads = readRunningRelay({ ...relay, checks: () => checksOf(relay.core.parts), clock: systemClock })
  return { ...relay, pages: pagesOn(reads, relay.config) }
}

test('figures, checks and stored events of a relay of this process', async () => {
  const { pages, publish, event } = await running('[retention]\npersist_days = 30\nkinds = [1, "20000-29999"]\n')
  await publish(event(0, '{}'), event(10_002, ''), event(9735, 'refused'))
  const { figures, checks, disk, past, unknown } = await pages.activity()
  expect(figures).toMatchObject({ connections: 0, held: 0, accepted: 0 }) // an import is no client
  expect(checks?.map(({ name, ok }) => [name, ok])).toContainEqual(['database', true])
  expect([past?.hours.length, unknown, (disk?.free ?? 0) > 0]).toEqual([24, '', true])
  await expect.poll(async () => (await pages.stored()).stored?.events, SLOWLY).toBe(2)
  expect((await pages.stored()).stored).toMatchObject({
    kinds: [
      { kind: 0, events: 1 },
      { kind: 10_002, events: 1 },
    ],
    expiring: 0,
  })
  expect((await pages.facts()).retention).toMatchObject({
    days: 30,
    kinds: [1, { first: 20_000, last: 29_999 }],
    keepAuthors: [],
  })
})

test('a ban is in force at once, in the file and in the audit, with the person who set it', async () => {
  const { pages, core, publish, event, folder } = await running()
  const [subject] = [await pages.subject('bannedKeys', formatNpub(ada.pubkey))]
  expect(subject).toMatchObject({ entry: ada.pubkey, npub: formatNpub(ada.pubkey), opposite: 'allowedKeys' })
  expect(subject.listed).toBeUndefined()
  await pages.change({ do: 'add', list: 'bannedKeys', entry: ada.pubkey, reason: 'spam' }, 'console: anna')
  expect(await publish(event(0, '{}'))).toMatchObject([{ accepted: false }])
  const page = await pages.list({ list: 'bannedKeys', prefix: formatNpub(ada.pubkey), after: undefined, limit: 5 })
  expect(page).toMatchObject({ entries: [{ entry: ada.pubkey, reason: 'spam' }], next: null })
  expect([core.lists.current().bannedKeys.size, core.lists.current().bannedEvents.size]).toEqual([1, 0])
  expect(core.lists.current().bannedKeys.get(ada.pubkey)).toMatchObject({ reason: 'spam' })
  const lines = readFileSync(join(folder, 'relay-audit.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    ...{ by: 'console: anna', do: 'add', list: 'bannedKeys', entry: ada.pubkey, reason: 'spam' },
  })
  await expect(pages.subject('bannedKinds', '70000')).rejects.toMatchObject({ code: 'LIST_ENTRY_INVALID' })
  await expect(pages.subject('bannedKeys', 'npub1nonsense')).rejects.toMatchObject({ code: 'NOSTR_CODE_INVALID' })
})

test('a banned event is deleted', async () => {
  const { pages, publish, event, core } = await running()
  const [bad, good] = [event(0, '{}'), event(10_002, '')]
  await publish(bad, good)
  await pages.change({ do: 'add', list: 'bannedEvents', entry: bad.id, reason: 'court order' }, 'anna')
  expect(core.size().events).toBe(1)
})

test('pages of a long list hold every entry once, newest first', async () => {
  const { pages, core } = await running()
  const entries = Array.from({ length: 7 }, (_, n) => `2001:db8::${n + 1}`)
  for (const entry of entries)
    await core.lists.change({ do: 'add', list: 'blockedAddresses', entry, reason: '' }, 'test')
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = await pages.list({ list: 'blockedAddresses', prefix: '2001:', after, limit: 3 })
    seen.push(...page.entries.map(({ entry }) => entry))
    after = page.next ?? undefined
  } while (after !== undefined)
  expect(seen).toEqual(entries.toReversed())
})

test('a relay beside: its metrics, its lists, its stored events; without metrics only what is stored', async () => {
  const bind = { host: '127.0.0.1', port: await freePort() }
  const { config: usual, core, publish, event } = await openRelay()
  const config = { ...usual, bind: { host: '127.0.0.1', port: await freePort() } }
  const checks = () => checksOf(core.parts)
  const metrics = await relayMetrics({
    ...{ ...context, ...core, bind, dbPath: config.dbPath, signatures: core.signatures.current, checks },
  })
  await metrics.start(new AbortController().signal)
  onTestFinished(() => metrics.stop())
  await publish(event(0, '{}'))
  const pages = pagesOn(
    readRelayBeside({ facts: factsOf({ ...config, metricsBind: bind }), clock: systemClock }),
    config,
  )
  const { figures, checks: ready, past } = await pages.activity()
  expect(figures).toMatchObject({ connections: 0, subscriptions: 0, readers: { replaced: 0 } })
  expect(figures?.memoryBytes).toBeGreaterThan(1_000_000)
  expect([ready, past]).toEqual([undefined, undefined]) // this relay has no listener
  await expect.poll(async () => (await pages.stored()).stored?.events, SLOWLY).toBe(1)
  await changeRelayLists(config.dbPath, { do: 'add', list: 'bannedKinds', entry: '4', reason: 'by command' })
  expect((await pages.subject('bannedKinds', '4')).listed?.reason).toBe('by command')
  await pages.change({ do: 'remove', list: 'bannedKinds', entry: '4', reason: 'again' }, 'anna')
  expect((await pages.subject('bannedKinds', '4')).listed).toBeUndefined()

  const blind = pagesOn(readRelayBeside({ facts: factsOf(config), clock: systemClock }), config)
  expect(await blind.activity()).toMatchObject({ figures: undefined, unknown: expect.stringContaining('metrics.bind') })
})

test('beside: lists that are too long to be read are a page, and a missing database is a reason', async () => {
  const { folder, remove } = temporaryFolder()
  onTestFinished(remove)
  const environment = openEnvironment({ variables: {} })
  const config = loadRelayConfig({ environment, file: { path: 'relay.toml', text: '' } }, { dataDir: folder })
  const pages = pagesOn(readRelayBeside({ facts: factsOf(config), clock: systemClock }), config)
  writeFileSync(join(folder, 'relay-lists.json'), ' '.repeat(1024 * 1024 + 1))
  const question = { list: 'bannedKeys', prefix: '', after: undefined, limit: 5 } as const
  await expect(pages.list(question)).rejects.toMatchObject({ code: 'CONSOLE_RELAY_LISTS' })
  writeFileSync(join(folder, 'relay-lists.json'), '{')
  await expect(pages.list(question)).rejects.toMatchObject({ code: 'DOCUMENT_DAMAGED' })
  writeFileSync(join(folder, 'relay-lists.json'), '{}')
  expect((await pages.list(question)).entries).toEqual([])
  await expect.poll(async () => (await pages.stored()).problem, SLOWLY).toContain('relay.db')
})

test('a relay whose settings file comes, changes and goes while the console of the till runs', async () => {
  const { folder, remove } = temporaryFolder()
  const settingsFile = join(folder, 'relay.toml')
  const { view, close } = relayBeside({ settingsFile, clock: systemClock, log })
  const pages = pagesOf(view)
  onTestFinished(async () => {
    await close()
    remove()
  })
  const refusal = { code: 'CONSOLE_RELAY_UNREACHABLE', status: 503 }
  await expect(pages.facts()).rejects.toMatchObject(refusal)
  const write = (text: string) =>
    writeFileSync(settingsFile, `${text}\n[database]\ndata_directory = ${JSON.stringify(folder)}\n`)
  write('[info]\nname = "one"\n[pay]\napi_token_file = "/nowhere"')
  expect(await pages.facts()).toMatchObject({ name: 'one', dbPath: join(folder, 'relay.db') })
  await pages.change({ do: 'add', list: 'bannedKinds', entry: '4', reason: 'old' }, 'anna')
  write('[info]\nname = "another"')
  expect(await pages.facts()).toMatchObject({ name: 'another' })
  expect((await pages.subject('bannedKinds', '4')).listed?.reason).toBe('old')
  write('[network]\nport = "x"')
  await expect(pages.activity()).rejects.toMatchObject(refusal)
})
