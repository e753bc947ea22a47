// Strangers fill a relay that has little memory with subscriptions of many filters, and a good client publishes and reads beside them:
//   node --import tsx bench/relay/filter-flood.ts --minutes 5 --memory-mb 1024
//   node --import tsx bench/relay/filter-flood.ts --verb NEG-OPEN --values 25
//   node --import tsx bench/relay/filter-flood.ts --reader-threads 1 --database /tmp/copy --set 1m   (all shapes of question over a copy of a set)
// Everything runs on 127.0.0.1. The relay runs as built (`npm run build`), in a control group with that much memory where this user may make one,
// otherwise with half of it as the heap of Node; the report says which. Exit code 1: the relay ended, or the good client was not served.
import { type ChildProcess, spawn } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cleanEnvironment, freePort, ROOT } from '../../test/support/till-process.js'
import { queriesOf } from './data/queries.js'
import type { SetName } from './data/sets.js'
import { beGood } from './filter-flood/good-client.js'
import { type MemoryGroup, openMemoryGroup } from './filter-flood/memory-group.js'
import { askShapes } from './filter-flood/readers.js'
import { emptyTally, floodFilters } from './filter-flood/strangers.js'

const { values: flags } = parseArgs({
  options: {
    minutes: { type: 'string', default: '1' },
    connections: { type: 'string', default: '187' },
    subscriptions: { type: 'string', default: '20' },
    filters: { type: 'string', default: '200' },
    filter: { type: 'string', default: '{"kinds":[7],"since":4000000000}' },
    verb: { type: 'string', default: 'REQ' },
    values: { type: 'string', default: '0' },
    'pause-ms': { type: 'string', default: '1000' },
    'memory-mb': { type: 'string', default: '1024' },
    'heap-mb': { type: 'string' },
    'good-per-second': { type: 'string', default: '10' },
    'reader-threads': { type: 'string' },
    database: { type: 'string' },
    set: { type: 'string' },
    'shape-clients': { type: 'string', default: '4' },
    root: { type: 'string', default: ROOT },
  },
})
const MEBIBYTE = 1_048_576
const MOST_MINUTES = 60
const minutes = Math.min(MOST_MINUTES, Number(flags.minutes))
const memory = Number(flags['memory-mb'])

/** In MB: resident now and the most so far, and what no file stands behind: the pages of a database can be dropped at any time. */
function residentOf(pid: number): { readonly now: number; readonly most: number; readonly own: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string) =>
      Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024)
    return { now: megabytes('VmRSS'), most: megabytes('VmHWM'), own: megabytes('RssAnon') }
  } catch {
    return undefined
  }
}

interface Started {
  readonly child: ChildProcess
  readonly port: number
  readonly ended: Promise<string>
  output(): string
}

async function startRelay(folder: string, group: MemoryGroup | undefined): Promise<Started> {
  const port = await freePort()
  const heap = flags['heap-mb'] ?? (group ? undefined : String(memory / 2))
  const node = [process.execPath, ...(heap === undefined ? [] : [`--max-old-space-size=${heap}`])]
  const command = [
    ...(group?.prefix ?? []),
    ...node,
    join(resolve(flags.root), 'bin/run.js'),
    'serve',
    'relay',
    '--db',
    flags.database ?? folder,
  ]
  const [program = '', ...args] = command
  const readers = flags['reader-threads']
  const env = cleanEnvironment({
    HOME: folder,
    RELAY_NETWORK_PORT: String(port),
    ...(readers === undefined ? {} : { RELAY_DATABASE_READER_THREADS: readers }),
  })
  const child = spawn(program, args, { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text = `${text}${chunk}`.slice(-20_000)
    })
  const ended = new Promise<string>((done) => child.once('exit', (code, signal) => done(String(signal ?? code))))
  for (let tries = 0; tries < 600 && child.exitCode === null; tries += 1) {
    if (
      await fetch(`http://127.0.0.1:${port}/health`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    await pause(50)
  }
  return { child, port, ended, output: () => text }
}

const folder = mkdtempSync(join(tmpdir(), 'grinpay-flood-'))
writeFileSync(join(folder, '.keep'), '')
const group = openMemoryGroup(memory)
const relay = await startRelay(folder, group)
const stop = new AbortController()
setMaxListeners(0, stop.signal) // one of each round
const tally = emptyTally()
let death: string | undefined
void relay.ended.then((how) => {
  if (stop.signal.aborted) return
  death = how
  stop.abort()
})
const begun = Date.now()
console.log(
  `${group?.kind ?? `no control group: heap of ${memory / 2} MB`}; ${availableParallelism()} cores, Node ${process.version}`,
)

const good = beGood(relay.port, Number(flags['good-per-second']), stop.signal)
const flooding = floodFilters(
  {
    port: relay.port,
    connections: Number(flags.connections),
    subscriptions: Number(flags.subscriptions),
    filters: Number(flags.filters),
    verb: flags.verb === 'NEG-OPEN' ? 'NEG-OPEN' : 'REQ',
    values: Number(flags.values),
    filter: JSON.parse(flags.filter) as Record<string, unknown>,
    pauseMs: Number(flags['pause-ms']),
    stop: stop.signal,
  },
  tally,
)
const asking = flags.set
  ? askShapes(
      relay.port,
      { queries: await queriesOf(flags.set as SetName), clients: Number(flags['shape-clients']) },
      stop.signal,
    )
  : undefined
let most = 0
let mostOwn = 0
while (!stop.signal.aborted && Date.now() - begun < minutes * 60_000) {
  await pause(5000, undefined, { signal: stop.signal }).catch(() => undefined)
  const resident = residentOf(relay.child.pid ?? 0)
  most = Math.max(most, resident?.most ?? 0)
  mostOwn = Math.max(mostOwn, resident?.own ?? 0)
  console.log(
    `${Math.round((Date.now() - begun) / 1000)} s: resident ${resident?.now ?? '-'} MB, own ${resident?.own ?? '-'} MB, ${JSON.stringify(tally)}`,
  )
}
const seconds = (Date.now() - begun) / 1000
stop.abort()
const [report] = await Promise.all([good.catch((error: unknown) => ({ faults: [String(error)] })), flooding])
const shapes = await asking
relay.child.kill('SIGTERM')
const end = await relay.ended
const groupMost = group?.mostUsed()
group?.remove()
rmSync(folder, { recursive: true, force: true })
if (death !== undefined) console.log(relay.output().slice(-3000))
console.log(
  JSON.stringify(
    {
      ...{
        minutes: seconds / 60,
        limit: memory,
        mostResident: most,
        mostOwn,
        mostOfGroup: groupMost && Math.round(groupMost / MEBIBYTE),
      },
      ...{ end: death === undefined ? `stopped (${end})` : `ended by itself: ${death} after ${Math.round(seconds)} s` },
      ...{ strangers: tally, good: report, shapes },
    },
    undefined,
    1,
  ),
)
process.exitCode = death === undefined && report.faults.length === 0 && !shapes?.faults.length ? 0 : 1
