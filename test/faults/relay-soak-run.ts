// A relay for a long time under an ordinary load with people who come and go: its memory is logged, and at the end everything is looked at as after a kill.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../support/till-process.js'
import { unhandledIn } from './relay-kill-rounds.js'
import { startRelayLife } from './relay-life.js'
import { openLine } from './relay-line.js'
import { AUTH_URL, keepLoading } from './relay-load.js'
import { acknowledged, emptyRelayLog } from './relay-log.js'
import { countsOf, type RelayCounts } from './relay-metrics.js'
import { newSociety } from './relay-people.js'
import { questionFaults } from './relay-questions.js'
import { ruleFaults } from './relay-rules.js'
import { readStored } from './relay-stored.js'

export interface SoakReport {
  readonly minutes: number
  readonly events: number
  readonly acknowledged: number
  readonly perSecond: number
  readonly stored: number
  /** MB per hour by least squares, without the first quarter: of the memory that is the process's own, and with mapped files. */
  readonly slopeOwn: number
  readonly slopeResident: number
  /** Likewise, of the second half: the cache of a database that begins empty is full by then. */
  readonly slopeOwnLater: number
  readonly mostOwn: number
  readonly mostResident: number
  readonly mostHandles: number
  /** Parts of queries that reader threads answered, and threads that ended or hung. */
  readonly readerAnswers: number
  readonly readersReplaced: number
  readonly faults: readonly string[]
}

interface SoakParts {
  readonly minutes: number
  /** About. */
  readonly eventsPerSecond: number
  readonly print: (line: string) => void
}

/** Of the process, in MB; `own` is what no file stands behind. */
interface Sample {
  readonly hours: number
  readonly own: number
  readonly resident: number
  /** Open files, sockets among them. */
  readonly handles: number
  readonly threads: number
}

const WRITERS = 8
const READERS = 4
const PROVERS = 2
/** Events of a client's batch, in the mean. */
const BATCH = 7
const SAMPLE_MS = 5000
const RELOAD_MS = 30_000
const PRINT_MS = 30_000
const READER_THREADS = 2
const MOST_FAULTS = 20
const MEBIBYTE = 1_048_576

function sampleOf(pid: number, since: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const numberOf = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0)
  return {
    hours: (Date.now() - since) / 3_600_000,
    own: numberOf('RssAnon') / 1024,
    resident: numberOf('VmRSS') / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberOf('Threads'),
  }
}

function lineOf(sample: Sample, counts: RelayCounts, { heard, faults }: { heard: number; faults: number }): string {
  const { hours, own, resident, handles, threads } = sample
  return [
    `${(hours * 60).toFixed(1)} min: own ${own.toFixed(1)} MB, resident ${resident.toFixed(1)} MB`,
    `heap ${(counts.heap / MEBIBYTE).toFixed(1)} MB, ${handles} handles, ${threads} threads, ${counts.connections} connections`,
    `${counts.storedEvents} stored, ${heard} answers, readers: ${counts.readerAnswers} answered, ${counts.readerWaiting} waiting, ${counts.readersReplaced} replaced; ${faults} faults`,
  ].join(', ')
}

/** Least squares. */
function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))]
  const spread = points.reduce((sum, [one]) => sum + (one - x) ** 2, 0)
  return points.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0) / spread
}

export async function runRelaySoak({ minutes, eventsPerSecond, print }: SoakParts): Promise<SoakReport> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-soak-'))
  const path = join(folder, 'relay.db')
  const society = newSociety()
  const log = emptyRelayLog()
  const metrics = `127.0.0.1:${await freePort()}`
  const settings = {
    RELAY_INFO_RELAY_URL: AUTH_URL,
    RELAY_AUTHORIZATION_NIP42_AUTH: 'true',
    RELAY_DATABASE_READER_THREADS: String(READER_THREADS),
    RELAY_METRICS_BIND: metrics,
  }
  const begin = () => startRelayLife({ folder, durability: 'commit', society, settings })
  const relay = await begin()
  const stop = new AbortController()
  const samples: Sample[] = []
  const since = Date.now()
  let heard = 0
  let counts: RelayCounts | undefined
  try {
    if (!(await relay.up)) throw new Error(relay.output())
    const loading = keepLoading({
      ...{ url: relay.url, log, society, stop: stop.signal, restless: 0.01 },
      ...{ writers: WRITERS, readers: READERS, provers: PROVERS },
      paceMs: (1000 * WRITERS * BATCH) / eventsPerSecond,
      answered: () => (heard += 1),
    })
    const reloading = setInterval(() => relay.child.kill('SIGHUP'), RELOAD_MS)
    let printed = since
    for (const end = since + minutes * 60_000; Date.now() < end && relay.child.exitCode === null; ) {
      await pause(SAMPLE_MS)
      const sample = sampleOf(relay.child.pid ?? 0, since)
      samples.push(sample)
      if (Date.now() - printed < PRINT_MS) continue
      printed = Date.now()
      counts = await countsOf(metrics)
      print(lineOf(sample, counts, { heard, faults: log.faults.length }))
    }
    clearInterval(reloading)
    const took = (Date.now() - since) / 1000
    stop.abort()
    await loading
    const code = await relay.stop()
    log.settle()
    const file = readStored(path, true)
    const crash = unhandledIn(relay.output())
    const faults = [
      ...(code === 0 ? [] : [`it ended with ${code}`]),
      ...(crash === undefined ? [] : [crash]),
      ...log.faults,
      ...file.faults,
      ...ruleFaults(log, file, Math.floor(Date.now() / 1000)),
      ...(await askedAgain()),
    ]
    const late = samples.filter(({ hours }) => hours > minutes / 240)
    const later = samples.filter(({ hours }) => hours > minutes / 120)
    return {
      minutes,
      events: log.sent.size,
      acknowledged: acknowledged(log).length,
      perSecond: Math.round(heard / took),
      stored: file.events.size,
      slopeOwn: slopeOf(late.map(({ hours, own }) => [hours, own])),
      slopeResident: slopeOf(late.map(({ hours, resident }) => [hours, resident])),
      slopeOwnLater: slopeOf(later.map(({ hours, own }) => [hours, own])),
      mostOwn: Math.max(...samples.map(({ own }) => own)),
      mostResident: Math.max(...samples.map(({ resident }) => resident)),
      mostHandles: Math.max(...samples.map(({ handles }) => handles)),
      readerAnswers: counts?.readerAnswers ?? 0,
      readersReplaced: counts?.readersReplaced ?? 0,
      faults: faults.slice(0, MOST_FAULTS),
    }
  } finally {
    stop.abort()
    await relay.kill()
    rmSync(folder, { recursive: true, force: true })
  }

  async function askedAgain(): Promise<readonly string[]> {
    const next = await begin()
    if (!(await next.up)) return [`it does not start again: ${next.output()}`]
    const line = await openLine(next.url, (asked) => log.faults.push(`no answer to ${asked}`))
    const faults = await questionFaults(line, { log, stored: readStored(path).events, society })
    line.close()
    await next.stop()
    return faults
  }
}
