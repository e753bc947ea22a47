// kill -9 of a relay under load at every kind of moment. After each kill its files are held against everything that was ever sent and answered,
// and the next life of it is asked over the wire.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../support/till-process.js'
import { bringTo, MOMENTS, type Moment } from './relay-deaths.js'
import { type Durability, type LivingRelay, startRelayLife } from './relay-life.js'
import { openLine } from './relay-line.js'
import { fill, keepLoading } from './relay-load.js'
import { acknowledged, emptyRelayLog, type RelayLog } from './relay-log.js'
import { countsOf as metricsOf } from './relay-metrics.js'
import { newSociety } from './relay-people.js'
import { questionFaults } from './relay-questions.js'
import { ruleFaults } from './relay-rules.js'
import { readStored, type StoredFile } from './relay-stored.js'

export interface RelayKillReport {
  readonly rounds: number
  readonly moments: Readonly<Record<string, number>>
  readonly events: number
  readonly acknowledged: number
  /** Sent, and the kill came before the answer. */
  readonly unanswered: number
  /** Kills that left an indexing, or the removal of events, half done. */
  readonly whileIndexing: number
  readonly whileRemoving: number
  /** Rounds with reader threads, and the parts of queries that these answered. */
  readonly withReaders: number
  readonly readerAnswers: number
  readonly seconds: number
  readonly faults: readonly string[]
}

/** So many rounds have one database. */
const ERA = 12
const MOST_FAULTS = 20
const ALIVE_MS = 4000
const WRITERS = 6
const READERS = 2
const READER_THREADS = 2
const METRICS_MS = 200
const seconds = () => Math.floor(Date.now() / 1000)

const society = newSociety()

interface KillOptions {
  /** Hears how far it is. */
  readonly tell?: (line: string) => void
  /** Events of each database before the first round; reader threads are asked from some thousands on. */
  readonly filled?: number
}

/** Half of the rounds have reader threads, each moment with and without. Stops at the first round with a fault. */
export async function runRelayKillRounds(
  rounds: number,
  { tell = () => undefined, filled = 0 }: KillOptions = {},
): Promise<RelayKillReport> {
  const since = Date.now()
  const report = {
    ...{ events: 0, acknowledged: 0, unanswered: 0, whileIndexing: 0, whileRemoving: 0 },
    ...{ withReaders: 0, readerAnswers: 0 },
  }
  const moments: Record<string, number> = {}
  const faults: string[] = []
  const era = Math.min(ERA, Math.ceil(rounds / 2))
  let played = 0
  while (played < rounds && faults.length === 0) {
    const durability = (played / era) % 2 === 0 ? 'commit' : 'fsync'
    const course = openCourse(durability, filled)
    try {
      for (const end = Math.min(played + era, rounds); played < end && faults.length === 0; played += 1) {
        const moment = MOMENTS[played % MOMENTS.length] ?? 'load'
        moments[moment] = (moments[moment] ?? 0) + 1
        const readers = Math.floor(played / (2 * MOMENTS.length) + played) % 2 === 0 ? READER_THREADS : 0
        const found = await course.play(moment, readers)
        tell(
          `${Math.round((Date.now() - since) / 1000)} s: round ${played} (${moment}, ${durability}, ${readers} readers)`,
        )
        faults.push(...found.map((fault) => `round ${played} (${moment}, ${durability}, ${readers} readers): ${fault}`))
      }
      if (faults.length === 0)
        faults.push(...(await course.finish()).map((fault) => `${durability}, at the end: ${fault}`))
      for (const [name, value] of Object.entries(course.counted())) report[name as keyof typeof report] += value
    } finally {
      course.remove()
    }
  }
  const took = Math.round((Date.now() - since) / 1000)
  return { rounds: played, moments, ...report, seconds: took, faults: faults.slice(0, MOST_FAULTS) }
}

interface WatchedRelay extends LivingRelay {
  /** Host and port of its metrics. */
  readonly metrics: string
}

function openCourse(durability: Durability, filled: number) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-faults-'))
  const path = join(folder, 'relay.db')
  const log = emptyRelayLog()
  let last: StoredFile | undefined
  let isFilled = filled === 0
  const counts = { whileIndexing: 0, whileRemoving: 0, withReaders: 0, readerAnswers: 0 }

  /** A relay that answers, and was asked what the last one left. */
  async function started(readers: number): Promise<WatchedRelay | readonly string[]> {
    const relay = await begin(readers)
    if (!(await relay.up)) return [`it does not start: ${relay.output().slice(-2000)}`]
    if (!isFilled) await fillIt(relay)
    const faults = last ? await askedOver(relay, last) : []
    if (faults.length === 0) return relay
    await relay.kill()
    return faults
  }

  async function begin(readers: number): Promise<WatchedRelay> {
    const metrics = `127.0.0.1:${await freePort()}`
    const settings = { RELAY_DATABASE_READER_THREADS: String(readers), RELAY_METRICS_BIND: metrics }
    return { ...(await startRelayLife({ folder, durability, society, settings })), metrics }
  }

  async function fillIt({ url }: LivingRelay): Promise<void> {
    const line = await openLine(url, (asked) => log.faults.push(`no answer to ${asked}`))
    await fill(line, { log, society }, filled)
    line.close()
    isFilled = true
  }

  async function askedOver(relay: LivingRelay, { events: stored }: StoredFile): Promise<readonly string[]> {
    const line = await openLine(relay.url, (asked) => log.faults.push(`no answer to ${asked}`))
    const faults = await questionFaults(line, { log, stored, society })
    line.close()
    await line.ended
    return faults
  }

  function look(clean: boolean): readonly string[] {
    last = readStored(path, clean)
    if (last.wasIndexing) counts.whileIndexing += 1
    if (last.wasRemoving) counts.whileRemoving += 1
    return [...log.faults, ...last.faults, ...ruleFaults(log, last, seconds())]
  }

  /** Under load until the moment comes. */
  async function liveAndDie(relay: WatchedRelay, moment: Exclude<Moment, 'starting'>): Promise<number | null> {
    const stop = new AbortController()
    let heard = 0
    const load = { url: relay.url, log, society, writers: WRITERS, readers: READERS, paceMs: 15, stop: stop.signal }
    const loading = keepLoading({ ...load, answered: () => (heard += 1) })
    const answers = async (count: number) => {
      const wanted = heard + count
      for (const end = Date.now() + ALIVE_MS; heard < wanted && Date.now() < end; ) await pause(2)
    }
    let answeredByReaders = 0
    const looking = setInterval(() => {
      metricsOf(relay.metrics).then(
        ({ readerAnswers }) => (answeredByReaders = readerAnswers),
        () => undefined,
      )
    }, METRICS_MS)
    try {
      await bringTo(moment, { relay, folder, log, society, answers })
    } finally {
      clearInterval(looking)
      await relay.kill()
      stop.abort()
      await loading
      log.settle()
    }
    counts.readerAnswers += answeredByReaders
    return relay.ended
  }

  async function startAndDie(readers: number): Promise<void> {
    const relay = await begin(readers)
    await Promise.race([relay.up, pause(300 + Math.random() * 1200)])
    await relay.kill()
  }

  return {
    async play(moment: Moment, readers: number): Promise<readonly string[]> {
      if (readers > 0) counts.withReaders += 1
      if (moment === 'starting') await startAndDie(readers)
      else {
        const relay = await started(readers)
        if ('length' in relay) return relay
        const code = await liveAndDie(relay, moment)
        if (code !== null) return code === 0 ? look(true) : [`it ended with ${code}: ${relay.output().slice(-2000)}`]
        const crash = unhandledIn(relay.output())
        if (crash !== undefined) return [crash]
      }
      return look(false)
    },
    /** The last life ends in order, and leaves everything indexed. */
    async finish(): Promise<readonly string[]> {
      const relay = await started(READER_THREADS)
      if ('length' in relay) return relay
      const code = await relay.stop()
      log.settle()
      return code === 0 ? look(true) : [`it stopped with ${code}: ${relay.output().slice(-2000)}`]
    },
    counted: () => ({ ...countsOf(log), ...counts }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

const countsOf = (log: RelayLog) => ({
  events: log.sent.size,
  acknowledged: acknowledged(log).length,
  unanswered: [...log.sent.values()].filter(({ attempts }) => attempts.some(({ reply }) => !reply)).length,
})

/** A line of the log that tells of a bug: a warning of the runtime, or level 50 and more. */
export const unhandledIn = (output: string): string | undefined =>
  output.split('\n').find((line) => /"level":("error"|"fatal"|[56]0)|[Uu]nhandled|^\s+at /.test(line))
