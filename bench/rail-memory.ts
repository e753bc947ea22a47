// What listening to an invoice costs in memory: a whole till with 0, 5,000 and 20,000 open invoices, after a collection each.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { Measurement } from './measurement.js'
import { createBills } from './payers.js'
import type { BenchRelay } from './relay.js'
import { type BenchTill, startTill } from './till.js'

const FEW = 5000
const MANY = 20_000
const KB = 1024
/** The target: KB of an invoice that is listened to. */
const EACH = 3
/** Letting go of what was needed only for creating. */
const SETTLE_MS = 3000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

/** Runs inside the till: on SIGUSR2 it collects its garbage and writes down what is left. */
const probe = (report: string): string => `
  import { renameSync, writeFileSync } from 'node:fs'
  import { setFlagsFromString } from 'node:v8'
  import { runInNewContext } from 'node:vm'
  import { isMainThread } from 'node:worker_threads'
  if (isMainThread) process.on('SIGUSR2', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc')
    for (let round = 0; round < 3; round++) collect()
    writeFileSync('${report}.new', JSON.stringify(process.memoryUsage()))
    renameSync('${report}.new', '${report}')
  })`

export async function railMemory(folder: string, relay: BenchRelay): Promise<readonly Measurement[]> {
  const report = `${folder}.memory`
  const settings = {
    PAY_RELAYS: relay.url,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(probe(report))}`,
  }
  const till = await startTill(folder, { settings })
  try {
    // Creating the first ones compiles code and fills pools; that is no invoice's fault.
    await createBills(till.url, 500)
    const none = await memoryOf(till, report)
    await createBills(till.url, FEW)
    const few = await memoryOf(till, report)
    await createBills(till.url, MANY - FEW)
    return measurementsOf(none, few, await memoryOf(till, report))
  } finally {
    await till.stop()
  }
}

async function memoryOf({ pid }: BenchTill, report: string): Promise<Memory> {
  await pause(SETTLE_MS)
  rmSync(report, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(report)) await pause(50)
  return JSON.parse(readFileSync(report, 'utf8')) as Memory
}

function measurementsOf(none: Memory, few: Memory, many: Memory): readonly Measurement[] {
  const each = (member: keyof Memory, from: Memory, to: Memory, count: number) =>
    (to[member] - from[member]) / KB / count
  const what = 'an open invoice that is listened to'
  const later = MANY - FEW
  return [
    { what: `${what}: resident, the first ${FEW}`, value: each('rss', none, few, FEW), unit: 'KB each' },
    {
      what: `${what}: resident, the next ${later}`,
      value: each('rss', few, many, later),
      unit: 'KB each',
      target: { of: 'value', atMost: EACH },
    },
    {
      what: `${what}: heap, the next ${later}`,
      value: each('heapUsed', few, many, later),
      unit: 'KB each',
      target: { of: 'value', atMost: EACH },
    },
    { what: `till that listens to ${MANY} invoices, resident`, value: many.rss / KB / KB, unit: 'MB' },
  ]
}
