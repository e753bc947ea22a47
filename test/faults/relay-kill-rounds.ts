// kill -9 of a relay under load at every kind of moment. After each kill its files are held against everything that was ever sent and answered,
// and the next life of it is asked over the wire.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { bringTo, MOMENTS, type Moment } from './relay-deaths.js'
import { type Durability, type LivingRelay, startRelayLife } from './relay-life.js'
import { openLine } from './relay-line.js'
import { keepLoading } from './relay-load.js'
import { acknowledged, emptyRelayLog, type RelayLog } from './relay-log.js'
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
  readonly seconds: number
  readonly faults: readonly string[]
}

/** So many rounds have one database. */
const ERA = 24
const MOST_FAULTS = 20
const ALIVE_MS = 4000
const WRITERS = 6
const READERS = 2
const seconds = () => Math.floor(Date.now() / 1000)

const society = newSociety()

/** Stops at the first round with a fault. `tell` hears how far it is. */
export async function runRelayKillRounds(
  rounds: number,
  tell = (_: string): void => undefined,
): Promise<RelayKillReport> {
  const since = Date.now()
  const report = { events: 0, acknowledged: 0, unanswered: 0, whileIndexing: 0, whileRemoving: 0 }
  const moments: Record<string, number> = {}
  const faults: string[] = []
  const era = Math.min(ERA, Math.ceil(rounds / 2))
  let played = 0
  while (played < rounds && faults.length === 0) {
    const durability = (played / era) % 2 === 0 ? 'commit' : 'fsync'
    const course = openCourse(durability)
    try {
      for (const end = Math.min(played + era, rounds); played < end && faults.length === 0; played += 1) {
        const moment = MOMENTS[played % MOMENTS.length] ?? 'load'
        moments[moment] = (moments[moment] ?? 0) + 1
        const found = await course.play(moment)
        tell(`${Math.round((Date.now() - since) / 1000)} s: round ${played} (${moment}, ${durability})`)
        faults.push(...found.map((fault) => `round ${played} (${moment}, ${durability}): ${fault}`))
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

function openCourse(durability: Durability) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-faults-'))
  const path = join(folder, 'relay.db')
  const log = emptyRelayLog()
  let last: StoredFile | undefined
  const counts = { whileIndexing: 0, whileRemoving: 0 }

  /** A relay that answers, and was asked what the last one left. */
  async function started(): Promise<LivingRelay | readonly string[]> {
    const relay = await startRelayLife({ folder, durability, society })
    if (!(await relay.up)) return [`it does not start: ${relay.output().slice(-2000)}`]
    const faults = last ? await askedOver(relay, last) : []
    if (faults.length === 0) return relay
    await relay.kill()
    return faults
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
    return [...log.faults, ...last.faults, ...ruleFaults(log, last.events, seconds())]
  }

  /** Under load until the moment comes. */
  async function liveAndDie(relay: LivingRelay, moment: Exclude<Moment, 'starting'>): Promise<number | null> {
    const stop = new AbortController()
    let heard = 0
    const load = { url: relay.url, log, society, writers: WRITERS, readers: READERS, paceMs: 15, stop: stop.signal }
    const loading = keepLoading({ ...load, answered: () => (heard += 1) })
    const answers = async (count: number) => {
      const wanted = heard + count
      for (const end = Date.now() + ALIVE_MS; heard < wanted && Date.now() < end; ) await pause(2)
    }
    try {
      await bringTo(moment, { relay, folder, log, society, answers })
    } finally {
      await relay.kill()
      stop.abort()
      await loading
      log.settle()
    }
    return relay.ended
  }

  async function startAndDie(): Promise<void> {
    const relay = await startRelayLife({ folder, durability, society })
    await Promise.race([relay.up, pause(300 + Math.random() * 1200)])
    await relay.kill()
  }

  return {
    async play(moment: Moment): Promise<readonly string[]> {
      if (moment === 'starting') await startAndDie()
      else {
        const relay = await started()
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
      const relay = await started()
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
