// An export and an import of 100,000 events through the console of a relay, with a client that publishes beside them:
//   node --import tsx bench/relay/moves.ts --events 100000 --rate 200
// Everything runs on 127.0.0.1; the relay runs as built (`npm run build`). Events are the first of the set 1m, the client's those of the set mixed.
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { RelayConsole } from '../../test/support/relay-console.js'
import { signInto } from '../../test/support/relay-console.js'
import { freePort, startDaemon } from '../../test/support/till-process.js'
import { wireClient } from '../../test/support/wire-client.js'
import { freshEvents } from './data/fresh.js'
import { linesOf } from './data/latest.js'
import { fileOf } from './data/sets.js'
import { needSets } from './databases.js'

const { values: flags } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    rate: { type: 'string', default: '200' },
    'alone-seconds': { type: 'string', default: '20' },
  },
})
const [EVENTS, RATE, ALONE_SECONDS] = [Number(flags.events), Number(flags.rate), Number(flags['alone-seconds'])]
const PAGE = '/console/relay/moves'
const POLL_MS = 1000
const MOST_SECONDS = 480

/** Runs in the relay: how long its event loop stood still, by the clock, without the time it waited for a core, and of processor. */
const WATCH = `
  import { isMainThread } from 'node:worker_threads'
  import { readFileSync, renameSync, writeFileSync } from 'node:fs'
  const read = () => {
    const [cpu, wait] = readFileSync('/proc/' + process.pid + '/task/' + process.pid + '/schedstat', 'latin1').split(' ').map(Number)
    return { at: performance.now(), cpu: cpu / 1e6, wait: wait / 1e6 }
  }
  if (isMainThread) {
    let steps = []
    let last = read()
    const tick = () => {
      const now = read()
      const clock = now.at - last.at
      steps.push([clock, clock - (now.wait - last.wait), now.cpu - last.cpu])
      last = now
      setTimeout(tick, 1).unref()
    }
    tick()
    process.on('SIGUSR2', () => {
      const of = (column) => {
        const sorted = steps.map((step) => step[column]).sort((a, b) => a - b)
        return [sorted.at(-1), sorted[Math.ceil(sorted.length * 0.999) - 1], sorted[Math.ceil(sorted.length * 0.99) - 1]].map((ms) => Math.round(ms * 10) / 10)
      }
      const report = { byClock: of(0), withACore: of(1), processor: of(2), steps: steps.length }
      steps = []
      writeFileSync(FILE + '.new', JSON.stringify(report))
      renameSync(FILE + '.new', FILE)
    })
  }
`

const watching = (file: string): string =>
  `--import=data:text/javascript,${encodeURIComponent(WATCH.replaceAll('FILE', JSON.stringify(file)))}`

interface Publishing {
  stop(): Promise<{ readonly oks: number; readonly refused: number; readonly p50: number; readonly p99: number }>
}

/** One event every so many milliseconds, whether the last one was answered or not. */
async function publishing(port: number, frames: Iterator<Buffer>): Promise<Publishing> {
  const client = await wireClient(`ws://127.0.0.1:${port}`)
  const sentAt: number[] = []
  const taken: number[] = []
  let refused = 0
  // One connection is answered in the order of its events.
  client.socket.removeAllListeners('message')
  client.socket.on('message', (data) => {
    const [verb, , isAccepted] = JSON.parse(String(data))
    if (verb !== 'OK') return
    taken.push(performance.now() - (sentAt[taken.length] ?? 0))
    if (!isAccepted) refused += 1
  })
  const begin = performance.now()
  const timer = setInterval(() => {
    for (const due = ((performance.now() - begin) / 1000) * RATE; sentAt.length < due; ) {
      const { value } = frames.next()
      if (!value) return
      sentAt.push(performance.now())
      client.socket.send(value, { binary: false })
    }
  }, 2)
  return {
    async stop() {
      clearInterval(timer)
      for (let tries = 0; taken.length < sentAt.length && tries < 500; tries++) await pause(20)
      client.close()
      const sorted = taken.toSorted((a, b) => a - b)
      const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
      return { oks: taken.length, refused, p50: at(0.5), p99: at(0.99) }
    },
  }
}

/** Seconds by the clock, until the page says so. */
async function moved(console: RelayConsole, action: string, fields: Readonly<Record<string, string>>) {
  const begin = performance.now()
  await console.submit(PAGE, `${PAGE}/${action}`, fields)
  for (;;) {
    const html = await console.page(PAGE)
    if (html.includes('No export or import is under way')) {
      const text = /<p>([\d,]+ (?:events|stored)[^<]*)<\/p>/.exec(html)?.[1]
      return { seconds: (performance.now() - begin) / 1000, text }
    }
    if (performance.now() - begin > MOST_SECONDS * 1000) throw new Error('it takes too long')
    await pause(POLL_MS)
  }
}

needSets('1m', 'mixed')
const folder = mkdtempSync(join(tmpdir(), 'grinpay-bench-moves-'))
const files = join(folder, 'event-files')
mkdirSync(files)
const out = createWriteStream(join(files, 'in.jsonl'))
let written = 0
for await (const { text } of linesOf(fileOf('1m'))) {
  out.write(`${text}\n`)
  if (++written === EVENTS) break
}
await new Promise((resolve) => out.end(resolve))

const [port, consolePort] = [await freePort(), await freePort()]
const steps = join(folder, 'steps.json')
const settings = {
  'network.port': port,
  'database.data_directory': folder,
  'console.enabled': true,
  'console.bind': `127.0.0.1:${consolePort}`,
  'authorization.public_note_authors': 'everyone',
  'limits.event_kind_allowlist': 'all',
  'options.reject_past_seconds': 0,
}
const config = join(folder, 'relay.toml')
writeFileSync(
  config,
  Object.entries(settings)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join(''),
)
const daemon = await startDaemon({
  command: ['serve', 'relay', '--config', config],
  settings: { HOME: folder, NODE_OPTIONS: watching(steps) },
  bind: `127.0.0.1:${port}`,
  cwd: folder,
})

/** The longest step since the last question, and what 999 and 99 of a thousand stay below, in milliseconds. */
async function stepsSoFar(): Promise<object> {
  daemon.child.kill('SIGUSR2')
  for (let turn = 0; turn < 200 && !existsSync(steps); turn++) await pause(20)
  const read = JSON.parse(readFileSync(steps, 'utf8'))
  rmSync(steps)
  return read
}

try {
  const fresh = await freshEvents('mixed', 0, Math.min(190_000, RATE * MOST_SECONDS))
  const frames = fresh.map(({ frame, event }) => Buffer.from(`["EVENT",${JSON.stringify(event)}]`) ?? frame).values()
  const console_ = await signInto(join(folder, 'relay.db'), consolePort)
  await pause(3000)

  async function beside<T>(what: string, work: () => Promise<T>): Promise<void> {
    const client = await publishing(port, frames)
    await stepsSoFar()
    const result = await work()
    const loop = await stepsSoFar()
    const { oks, refused, ...taken } = await client.stop()
    const load = loadavg()[0]?.toFixed(1)
    console.log(what, JSON.stringify({ ...result, load, loop, client: { oks, refused, ...taken } }))
  }

  await beside('alone', () => pause(ALONE_SECONDS * 1000))
  await beside('import', () => moved(console_, 'import', { file: 'in.jsonl' }))
  await beside('alone again', () => pause(ALONE_SECONDS * 1000))
  await beside('export', () => moved(console_, 'export', {}))
  await beside('import of known events', () => moved(console_, 'import', { file: 'in.jsonl' }))
  console.log('file', statSync(join(files, 'in.jsonl')).size, 'bytes')
} finally {
  await daemon.stop()
  rmSync(folder, { recursive: true, force: true })
}
