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
import { type Measurement, median } from './measurement.js'
import { packedEvents } from './relay/data/fresh.js'
import { copyOf, needSets, STORED_SET, WORLD } from './relay/databases.js'
import type { RunningRelay } from './relay/relays/launch.js'
import { startOurs } from './relay/relays/ours.js'
import { publishAtRate } from './relay/workloads/publish.js'
import { startTill } from './till.js'

export const name = 'console-relay'

const RATE = 300
/** Turns with and without a reader. */
const TURNS = 5
const SECONDS = 6
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
      ...(await beside(about, { relay, console, pages, from: 2 * TURNS * RATE * SECONDS })),
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

/** OKs alone and while a person reads, in turns, and the longest step of the process with the pages meanwhile. */
async function beside(about: string, { relay, console, pages, from }: Beside): Promise<readonly Measurement[]> {
  const turns: { readonly isRead: boolean; readonly p50: number; readonly p99: number; readonly stepMs: number }[] = []
  const times: number[] = []
  for (let turn = 0; turn < 2 * TURNS; turn++) {
    const isRead = turn % 2 === 1
    const events = await packedEvents('note', from + turn * RATE * SECONDS, RATE * SECONDS)
    await console.longestStep()
    const reading = isRead ? readOn(console, pages) : undefined
    const { taken } = await publishAtRate({ relay, events, connections: 2 }, RATE)
    times.push(...((await reading?.()) ?? []))
    turns.push({ isRead, p50: taken.p50, p99: taken.p99, stepMs: await console.longestStep() })
  }
  times.sort((a, b) => a - b)
  const figures = (wanted: boolean, of: 'p50' | 'p99' | 'stepMs') =>
    turns.filter(({ isRead }) => isRead === wanted).map((turn) => turn[of])
  const row = (
    what: string,
    of: 'p50' | 'p99' | 'stepMs',
    pick: (values: readonly number[]) => number,
  ): Measurement => {
    const [alone, read] = [pick(figures(false, of)), pick(figures(true, of))]
    return {
      what: `${about}, ${RATE} events/s, a page every half second: ${what}`,
      value: read,
      unit: 'ms',
      ratio: { to: `without a reader (${alone.toPrecision(3)} ms)`, value: read / alone },
    }
  }
  const quietest = (values: readonly number[]) => Math.min(...values)
  return [
    row('OK p50, middle turn', 'p50', median),
    row('OK p99, middle turn', 'p99', median),
    row('OK p99, quietest turn', 'p99', quietest),
    row('longest step, quietest turn', 'stepMs', quietest),
    {
      what: `${about}, ${RATE} events/s: page p50`,
      value: times[Math.floor(times.length / 2)] ?? Number.NaN,
      unit: 'ms',
    },
    {
      what: `${about}, ${RATE} events/s: page p90`,
      value: times[Math.floor(times.length * 0.9)] ?? Number.NaN,
      unit: 'ms',
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
