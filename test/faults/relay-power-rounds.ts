// A relay that says OK after the disk has it (`durability = "fsync"`) loses its power, at many moments of its life: whatever it said OK to by then is there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterPowerCut, type Fate, powerCutSettings, readJournal, writeFiles } from './power-cut.js'
import { type Durability, startRelayLife } from './relay-life.js'
import { keepLoading } from './relay-load.js'
import { type Attempt, emptyRelayLog, type RelayLog } from './relay-log.js'
import { newSociety } from './relay-people.js'
import { ruleFaults } from './relay-rules.js'
import { readStored } from './relay-stored.js'

export interface PowerReport {
  readonly cuts: number
  readonly acknowledged: number
  /** Of the database's log. */
  readonly writes: number
  readonly syncs: number
  /** Syncs of the database itself. */
  readonly checkpoints: number
  /** What is wrong with the files by themselves: the database, its indexes. */
  readonly broken: readonly string[]
  /** What does not agree with the replies that clients got. */
  readonly faults: readonly string[]
}

interface PowerParts {
  readonly durability: Durability
  readonly seconds: number
  readonly cuts: number
}

const FATES: readonly Fate[] = ['nothing', 'anything', 'everything', 'anything']

export async function runPowerRounds({ durability, seconds, cuts }: PowerParts): Promise<PowerReport> {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-relay-power-'))
  const society = newSociety()
  const path = join(folder, 'relay.db')
  try {
    const first = await startRelayLife({ folder, durability, society })
    if (!(await first.up)) throw new Error(first.output())
    await first.stop()
    const base = { 1: readFileSync(path), 2: Buffer.alloc(0) }
    const { journal, settings } = powerCutSettings(folder)
    const log = emptyRelayLog()
    const times = timed(log)
    const relay = await startRelayLife({ folder, durability, society, settings })
    if (!(await relay.up)) throw new Error(relay.output())
    const stop = new AbortController()
    const loading = keepLoading({ url: relay.url, log, society, writers: 6, readers: 1, paceMs: 15, stop: stop.signal })
    await pause(seconds * 1000)
    await relay.kill()
    stop.abort()
    await loading
    log.settle()
    const noted = readJournal(journal)
    const copy = join(folder, 'cut.db')
    const broken: string[] = []
    const faults: string[] = [...log.faults]
    for (let cut = 0; cut < cuts; cut += 1) {
      const until = cut === 0 ? noted.length : 1 + Math.floor(Math.random() * noted.length)
      const fate = FATES[cut % FATES.length] ?? 'nothing'
      writeFiles(copy, afterPowerCut({ base, noted, until, fate, random: Math.random }))
      const at = noted[until]?.at ?? Number.POSITIVE_INFINITY
      const file = readStored(copy)
      const ruleBreaks = ruleFaults(knownAt(log, times, at), file, Math.floor(Date.now() / 1000))
      const named = (fault: string) => `cut after ${until} of ${noted.length}, ${fate} unsynced left: ${fault}`
      broken.push(...file.faults.map(named))
      faults.push(...ruleBreaks.map(named))
    }
    return {
      cuts,
      acknowledged: [...log.sent.values()].filter(({ attempts }) => attempts.some(({ reply }) => reply?.accepted))
        .length,
      writes: noted.filter(({ operation, file }) => operation === 'write' && file === 2).length,
      syncs: noted.filter(({ operation, file }) => operation === 'sync ends' && file === 2).length,
      checkpoints: noted.filter(({ operation, file }) => operation === 'sync ends' && file === 1).length,
      broken,
      faults,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Epoch milliseconds of the ticks of a log, in their order. */
function timed(log: RelayLog): number[] {
  const times: number[] = [0]
  const { tick } = log
  log.tick = () => {
    times.push(Date.now())
    return tick()
  }
  return times
}

/** The replies that clients had by then. What they sent later may be there as well: it was on its way. */
function knownAt(log: RelayLog, times: readonly number[], at: number): RelayLog {
  const until = (attempt: Attempt): Attempt => {
    // Times of the log are whole milliseconds, rounded down.
    const isAnswered = attempt.reply !== undefined && (times[attempt.endedAt] ?? Number.POSITIVE_INFINITY) + 1 <= at
    return isAnswered ? attempt : { sentAt: attempt.sentAt, endedAt: Number.POSITIVE_INFINITY, reply: undefined }
  }
  const sent = new Map([...log.sent].map(([id, one]) => [id, { ...one, attempts: one.attempts.map(until) }]))
  return { ...log, sent }
}
