// The relay's pages of the console beside a million events and a list of 100,000 bans: in the relay's own process, and in a till's; quiet,
// and while 300 events a second are published. What a page costs the clients shows in the OKs.
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../test/support/till-process.js'
import {
  ask,
  type BenchConsole,
  type BenchPage,
  benchConsole,
  idleStep,
  measurePages,
  watching,
} from './console-rounds.js'
import type { Measurement } from './measurement.js'
import { freshEvents } from './relay/data/fresh.js'
import { copyOf, needSets, STORED_SET, WORLD } from './relay/databases.js'
import type { RunningRelay } from './relay/relays/launch.js'
import { startOurs } from './relay/relays/ours.js'
import { publishAtRate } from './relay/workloads/publish.js'
import { startTill } from './till.js'

export const name = 'console-relay'

const RATE = 300
const SECONDS = 20
const ENTRIES = 100_000
/** A list that the till's console still reads: it takes files of up to 1 MB. */
const FEW_ENTRIES = 5000
/** A person who reads: a session may ask 120 times a minute. */
const ASK_EVERY_MS = 500

export async function run(): Promise<readonly Measurement[]> {
  needSets(STORED_SET, 'note')
  const { folder, drop } = copyOf('ours')
  try {
    return [...(await inOneProcess(folder)), ...(await besideTill(folder))]
  } finally {
    drop()
  }
}

async function inOneProcess(folder: string): Promise<readonly Measurement[]> {
  const keys = writeLists(folder, ENTRIES)
  const [port, steps] = [await freePort(), join(folder, 'steps.json')]
  const relay = await startOurs(folder, {
    ...OPTIONS,
    node: [watching(steps)],
    toml: ['[console]', 'enabled = true', `bind = "127.0.0.1:${port}"`],
  })
  try {
    const console = benchConsole({ pid: relay.pid, port, sessions: join(folder, 'console.db'), steps })
    const about = `console of a relay with ${STORED_SET} events and ${ENTRIES} bans`
    const pages = pagesOf(keys)
    return [
      await idleStep(about, console),
      ...(await measurePages(about, pages, console)),
      ...(await beside(about, { relay, console, pages, from: 0 })),
    ]
  } finally {
    await relay.stop()
  }
}

/** Two processes: the relay, and a till with its pages. */
async function besideTill(folder: string): Promise<readonly Measurement[]> {
  const keys = writeLists(folder, FEW_ENTRIES)
  const [port, steps, metrics] = [await freePort(), join(folder, 'till-steps.json'), await freePort()]
  const relay = await startOurs(folder, { ...OPTIONS, toml: ['[metrics]', `bind = "127.0.0.1:${metrics}"`] })
  const till = await startTill(join(folder, 'till'), {
    settings: {
      PAY_CONSOLE: 'on',
      PAY_CONSOLE_BIND: `127.0.0.1:${port}`,
      PAY_CONSOLE_RELAY: join(folder, 'relay.toml'),
      NODE_OPTIONS: watching(steps),
    },
  })
  try {
    const console = benchConsole({ pid: till.pid, port, sessions: join(folder, 'till', 'console.db'), steps })
    const about = `console of a till beside that relay, ${FEW_ENTRIES} bans`
    const pages = pagesOf(keys)
    return [
      await idleStep(about, console),
      ...(await measurePages(about, pages, console)),
      ...(await beside(about, { relay, console, pages, from: 2 * RATE * SECONDS })),
    ]
  } finally {
    await till.stop()
    await relay.stop()
  }
}

const OPTIONS = { noteAuthors: WORLD.authors.map(({ pubkey }) => pubkey) }

/** Answers some of the banned keys. */
function writeLists(folder: string, entries: number): readonly string[] {
  const keys = Array.from({ length: entries }, () => randomBytes(32).toString('hex'))
  const bannedKeys = Object.fromEntries(
    keys.map((key, i) => [key, { reason: `report ${i}`, since: 1_790_000_000_000 + i }]),
  )
  writeFileSync(join(folder, 'relay-lists.json'), JSON.stringify({ bannedKeys }), { mode: 0o600 })
  return keys.filter((_, i) => i % Math.floor(entries / 100) === 0)
}

const pagesOf = (keys: readonly string[]): readonly BenchPage[] => {
  const below = (path: string) => keys.map((key) => `${path}${key}`)
  return [
    { what: 'relay', paths: ['/relay/today'] },
    { what: 'bans, first page', paths: ['/relay/lists?list=bannedKeys'] },
    { what: 'bans, any page', paths: below('/relay/lists?list=bannedKeys&after=') },
    {
      what: 'bans, search by four digits',
      paths: below('/relay/lists?list=bannedKeys&q=').map((path) => path.slice(0, -60)),
    },
    { what: 'one ban', paths: below('/relay/lists/entry?list=bannedKeys&entry=') },
  ]
}

interface Beside {
  readonly relay: RunningRelay
  readonly console: BenchConsole
  readonly pages: readonly BenchPage[]
  /** Of the fresh events: each run takes others. */
  readonly from: number
}

/** OKs alone and while a person reads, and the longest step of the process with the pages meanwhile. */
async function beside(about: string, { relay, console, pages, from }: Beside): Promise<readonly Measurement[]> {
  const published = async (first: number) =>
    publishAtRate({ relay, events: await freshEvents('note', first, RATE * SECONDS), connections: 2 }, RATE)
  await console.longestStep()
  const alone = await published(from)
  const stepAlone = await console.longestStep()
  const reading = readOn(console, pages)
  const read = await published(from + RATE * SECONDS)
  const times = (await reading()).sort((a, b) => a - b)
  const what = (text: string) => `${about}, ${RATE} events/s: ${text}`
  return [
    { what: what('OK p50 without a reader'), value: alone.taken.p50, unit: 'ms' },
    { what: what('OK p99 without a reader'), value: alone.taken.p99, unit: 'ms' },
    { what: what('OK p50 while a page is read every half second'), value: read.taken.p50, unit: 'ms' },
    {
      what: what('OK p99 while a page is read every half second'),
      value: read.taken.p99,
      unit: 'ms',
      ratio: { to: 'without a reader', value: read.taken.p99 / alone.taken.p99 },
    },
    { what: what('longest step without a reader'), value: stepAlone, unit: 'ms' },
    {
      what: what('longest step with one'),
      value: await console.longestStep(),
      unit: 'ms',
      target: { of: 'value', atMost: 20 },
    },
    { what: what('page p50'), value: times[Math.floor(times.length / 2)] ?? Number.NaN, unit: 'ms' },
    {
      what: what('page p99'),
      value: times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN,
      unit: 'ms',
      target: { of: 'value', atMost: 30 },
    },
  ]
}

/** Asks for the pages in turns until the answer is called, which has the times in milliseconds. */
function readOn(console: BenchConsole, pages: readonly BenchPage[]): () => Promise<number[]> {
  const times: number[] = []
  let isOver = false
  const done = (async () => {
    const cookie = await console.cookie()
    for (let i = 0; !isOver; i++) {
      const { paths } = pages[i % pages.length] ?? { paths: [] }
      times.push((await ask(`${console.url}${paths[i % paths.length]}`, cookie)).ms)
      await pause(ASK_EVERY_MS)
    }
  })()
  return async () => {
    isOver = true
    await done
    return times
  }
}
