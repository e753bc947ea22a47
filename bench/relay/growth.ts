// node --import tsx bench/relay/growth.ts [PART …] SET …: the relay with ever more stored events, the sets in turns. Writes its figures to growth.json beside the sets.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { cleanEnvironment, ROOT } from '../../test/support/till-process.js'
import { median } from '../measurement.js'
import { processorUs, timed } from './client/figures.js'
import { freshEvents, packedEvents } from './data/fresh.js'
import { queriesOf, SHAPES, type ShapeName } from './data/queries.js'
import { DATA_FOLDER, isGenerated, SETS, type SetName } from './data/sets.js'
import { type Copy, copyOf, loaded, ownOf, WORLD } from './databases.js'
import { figuresOf, PROBE } from './probe/ask-probe.js'
import { onlyReplaced } from './publish.js'
import type { RunningRelay } from './relays/launch.js'
import { OUR_DATABASE, startOurs } from './relays/ours.js'
import { checkAnswers } from './workloads/answers.js'
import { coldStart } from './workloads/cold-start.js'
import { mix } from './workloads/mix.js'
import { type Published, publish } from './workloads/publish.js'
import { query } from './workloads/query.js'

const run = promisify(execFile)
const WARM_UP = 500
const ASKED = 1000
const ROUNDS = 10
const STARTS = 3
const CONNECTIONS = 4
const MANY = { connections: 8, waiting: 64 }
/** More than what starts an indexing generation: the price of an event includes its index rows. */
const PUBLISHED = 40_000
/** Events of one measurement, so that a busy machine ends it in time. */
const AT_ONCE = 4000
const SETTLE_MS = 12_000

/** Parts may run beside each other: each adds its figures to the file. */
const FILE = join(DATA_FOLDER, 'growth.json')
const note = (set: SetName, what: string, value: number): void => {
  const figures = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, object>) : {}
  writeFileSync(FILE, JSON.stringify({ ...figures, [set]: { ...figures[set], [what]: value } }, undefined, 2))
  console.log(`${new Date().toISOString().slice(11, 19)} ${set}: ${what} ${value.toFixed(1)}`)
}

const command = (...words: readonly string[]) =>
  run(process.execPath, [join(ROOT, 'bin/run.js'), ...words], { env: cleanEnvironment() })

const settled = () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS))

const PARTS = {
  sizes: () => inOrder(sizes),
  reading,
  starts: () => inOrder(starts),
  backup: () => inOrder(backup),
  writing: () => inOrder(writing),
}

const isPart = (word: string): word is keyof typeof PARTS => word in PARTS
const words = process.argv.slice(2)
const sets = words.filter((word): word is SetName => word in SETS)
const parts = words.filter(isPart)
for (const part of parts.length > 0 ? parts : (Object.keys(PARTS) as (keyof typeof PARTS)[])) await PARTS[part]()

async function inOrder(work: (set: SetName) => Promise<void>): Promise<void> {
  for (const set of sets) await work(set)
}

async function sizes(set: SetName): Promise<void> {
  const folder = loaded('ours', set)
  const { stdout } = await command('relay', 'stats', '--db', folder, '--json')
  const { events } = JSON.parse(stdout) as { events: number }
  note(set, 'events', events)
  note(set, 'bytes of an event', statSync(join(folder, OUR_DATABASE)).size / events)
}

/** All sets at once, each shape in turns: what else the machine does then meets all of them. */
async function reading(): Promise<void> {
  const relays = await Promise.all(sets.map((set) => startOurs(loaded('ours', set))))
  try {
    for (const [which, set] of sets.entries()) await warmUp(relays[which]!, set)
    for (const shape of SHAPES) await inTurns(relays, shape)
    for (const [which, set] of sets.entries()) noteMemory(set, 'after queries', relays[which]!)
  } finally {
    await Promise.all(relays.map((relay) => relay.stop()))
  }
}

async function warmUp(relay: RunningRelay, set: SetName): Promise<void> {
  const queries = await queriesOf(set)
  for (const shape of SHAPES) {
    await checkAnswers(relay, shape, queries[shape])
    for (let from = 0; from < WARM_UP; from += ASKED / ROUNDS) {
      const some = queries[shape].slice(from, from + ASKED / ROUNDS)
      await query({ relay, shape, queries: some, connections: CONNECTIONS })
    }
  }
}

async function inTurns(relays: readonly RunningRelay[], shape: ShapeName): Promise<void> {
  const each = ASKED / ROUNDS
  const cpu = sets.map((): number[] => [])
  const events = sets.map((): number[] => [])
  for (let round = 0; round < ROUNDS; round++)
    for (const [which, set] of sets.entries()) {
      const from = WARM_UP + round * each
      const queries = (await queriesOf(set))[shape].slice(from, from + each)
      const done = await query({ relay: relays[which]!, shape, queries, connections: CONNECTIONS })
      cpu[which]!.push(done.cpuUs)
      events[which]!.push(done.eventsPerSecond / done.perSecond)
    }
  for (const [which, set] of sets.entries()) {
    note(set, `${shape}, µs`, median(cpu[which]!))
    note(set, `${shape}, events of an answer`, median(events[which]!))
  }
}

function noteMemory(set: SetName, when: string, { pid }: RunningRelay): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const mb = (field: string): number => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
  note(set, `own memory ${when}, MB`, mb('RssAnon'))
  note(set, `mapped pages of the file ${when}, MB`, mb('RssFile'))
}

async function starts(set: SetName): Promise<void> {
  const taken: number[] = []
  for (let start = 0; start < STARTS; start++) taken.push(await coldStart(() => startOurs(loaded('ours', set))))
  note(set, 'start to the first answer, ms', median(taken))
}

async function writing(set: SetName): Promise<void> {
  const copy = isGenerated(set) ? ownOf('ours', set) : copyOf('ours', set)
  try {
    await publishing(set, copy)
    await pruning(set, copy)
  } finally {
    copy.drop()
  }
}

async function backup(set: SetName): Promise<void> {
  const folder = loaded('ours', set)
  const relay = await startOurs(folder)
  const target = join(DATA_FOLDER, `backup-${set}.db`)
  const begun = performance.now()
  await command('relay', 'backup', target, '--config', join(folder, 'relay.toml'))
  note(set, 'backup, s', (performance.now() - begun) / 1000)
  note(set, 'backup, MB', statSync(target).size / 1e6)
  rmSync(target)
  await relay.stop()
}

async function publishing(set: SetName, { folder }: Copy): Promise<void> {
  const relay = await startOurs(folder, { noteAuthors: WORLD.authors.map(({ pubkey }) => pubkey) })
  try {
    const flatOut = async (name: SetName, from: number, count: number) => {
      const all = await freshEvents(name, from, count)
      const before = processorUs(relay.pid)
      const parts: Published[] = []
      for (let sent = 0; sent < count; sent += AT_ONCE)
        parts.push(await publish({ relay, events: all.slice(sent, sent + AT_ONCE), ...MANY }))
      for (const part of parts) onlyReplaced(part)
      return {
        before,
        cpuUs: parts.reduce((sum, { cpuUs }) => sum + cpuUs, 0) / parts.length,
        perSecond: parts.length / parts.reduce((sum, { perSecond }) => sum + 1 / perSecond, 0),
        p99: median(parts.map(({ taken }) => taken.p99)),
      }
    }
    await flatOut('mixed', 100_000, 8000)
    await settled()
    const mixed = await flatOut('mixed', 0, PUBLISHED)
    await settled()
    note(set, 'publish mixed, µs with all indexing', (processorUs(relay.pid) - mixed.before) / PUBLISHED)
    note(set, 'publish mixed, /s', mixed.perSecond)
    note(set, 'publish mixed, p99 ms', mixed.p99)
    for (const name of ['wrap', 'repl', 'mixed'] as const)
      note(set, `publish 8,000 ${name}, µs`, (await flatOut(name, name === 'mixed' ? 110_000 : 0, 8000)).cpuUs)
    const events = await freshEvents('mixed', 120_000, 1000)
    const single = await publish({ relay, events, connections: 1, waiting: 1 })
    note(set, 'one at a time, µs', single.cpuUs)
    note(set, 'one at a time, p50 ms', single.taken.p50)
    await mixing(set, relay)
    noteMemory(set, 'after publishing', relay)
  } finally {
    await relay.stop()
  }
}

async function mixing(set: SetName, relay: RunningRelay): Promise<void> {
  const queries = await queriesOf(set)
  const shapes = SHAPES.filter((shape) => shape !== 'count')
  const filters = Array.from({ length: 1000 }, (_, index) => shapes.map((shape) => queries[shape][index]!.filter))
  const rate = 300
  const done = await mix({ relay, events: await packedEvents('note', 0, rate * 10), rate, filters: filters.flat() })
  note(set, 'queries beside 300 events/s, µs', done.cpuUs)
  note(set, 'queries beside 300 events/s, REQ/s', done.queriesPerSecond)
  note(set, 'queries beside 300 events/s, OK p99 ms', done.taken.p99)
}

/** The oldest tenth, by the command, while the relay serves nobody else. */
async function pruning(set: SetName, { folder }: Copy): Promise<void> {
  const out = join(folder, 'loop.json')
  const relay = await startOurs(folder, { node: ['--import', `${PROBE}?out=${encodeURIComponent(out)}`] })
  try {
    const { stdout } = await command('relay', 'stats', '--config', join(folder, 'relay.toml'), '--json')
    const { events } = JSON.parse(stdout) as { events: number }
    const config = join(folder, 'prune.toml')
    const lines = [
      readFileSync(join(folder, 'relay.toml'), 'utf8'),
      '[retention]',
      `max_events = ${Math.floor(events * 0.9)}`,
    ]
    writeFileSync(config, `${lines.join('\n')}\n`)
    const counted = performance.now()
    await command('relay', 'prune', '--dry-run', '--config', config)
    note(set, 'prune --dry-run, s', (performance.now() - counted) / 1000)
    await figuresOf(relay, out)
    const { result, seconds, cpuUs } = await timed(relay.pid, () =>
      command('relay', 'prune', '--yes', '--json', '--config', config),
    )
    const { removed } = JSON.parse(result.stdout) as { removed: number }
    const loop = await figuresOf(relay, out)
    note(set, 'prune, events', removed)
    note(set, 'prune, s', seconds)
    note(set, 'prune, µs of the relay per event', cpuUs / removed)
    note(set, 'prune, longest step ms', loop.longest)
    note(set, 'prune, steps beyond 5 ms', loop.long.length)
  } finally {
    await relay.stop()
  }
}
