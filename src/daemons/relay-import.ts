// `relay import`: every event goes the way of all events, the write policy included. A relay that runs takes them over its own address;
// when none runs, its parts are put together here without a listener.
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { RelayConfig } from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { localHostPort } from '../lib/host-port.js'
import { type ImportCounts, importLines, openPublisher, type PublishAnswer, type Verifier } from '../relay/index.js'
import { isRelayServed } from '../storage/index.js'
import { createOpenWebSocket, type Log, systemClock, systemRandom } from '../system/index.js'
import { openVerifier } from '../workers/index.js'
import { eventsFileUnreadable, verifiedOnly } from './errors.js'
import { openRelayCore } from './parts/relay/core.js'
import { openTrialRelay } from './parts/relay/trial-relay.js'

export interface ImportOptions {
  readonly version: string
  readonly log: Log
  /** `-` is standard input. */
  readonly file: string
  /** False: signatures are taken for good. */
  readonly verify: boolean
  readonly isDryRun: boolean
  /** Of the running relay, where it is not the one of the settings. */
  readonly url?: string | undefined
  readonly timeoutMs: number
  readonly onProgress?: ((sofar: ImportCounts) => void) | undefined
}

/** The `--json` document of `relay import`. */
export interface ImportView extends ImportCounts {
  readonly file: string
  readonly dry_run: boolean
  /** Who took the events. */
  readonly through: 'running relay' | 'database' | 'nobody'
}

/** Takes values of parsed JSON, and says to each what a relay says. */
interface Taker {
  take(values: readonly unknown[]): Promise<readonly PublishAnswer[]>
  close(): Promise<void>
}

/** Throws EVENTS_FILE_UNREADABLE, RELAY_UNREACHABLE, RELAY_SYNC_FAILED, VERIFIED_ONLY, and what opening the database throws. */
export async function importEvents(config: RelayConfig, options: ImportOptions): Promise<ImportView> {
  const { file, isDryRun, onProgress } = options
  const chunks = await chunksOf(file)
  try {
    const through = isDryRun ? 'nobody' : (await isServed(config)) ? 'running relay' : 'database'
    const taker = await TAKERS[through](config, options)
    try {
      const longestLine = LINE_FACTOR * config.relay.limits.maxMessageBytes
      const tally = await importLines({ chunks, longestLine, take: taker.take, onProgress })
      return { file, dry_run: isDryRun, through, ...tally }
    } finally {
      await taker.close()
    }
  } finally {
    chunks.destroy()
  }
}

/** Escapes and members that are not kept make a line longer than the event in it. */
const LINE_FACTOR = 4
const CHUNK_BYTES = 262_144

async function chunksOf(path: string): Promise<Readable> {
  if (path === '-') return process.stdin
  try {
    const file = await open(path, 'r')
    const stats = await file.stat()
    if (!stats.isDirectory()) return file.createReadStream({ highWaterMark: CHUNK_BYTES })
    await file.close()
  } catch (thrown) {
    throw eventsFileUnreadable(path, messageOf(thrown))
  }
  throw eventsFileUnreadable(path, 'it is a folder')
}

const isServed = async ({ dbPath: path }: RelayConfig): Promise<boolean> =>
  existsSync(path) && (await isRelayServed({ path, clock: systemClock }))

type OpenTaker = (config: RelayConfig, options: ImportOptions) => Promise<Taker>

const TAKERS: Readonly<Record<ImportView['through'], OpenTaker>> = {
  'running relay': openRunning,
  database: openDatabase,
  nobody: openTrial,
}

const CREDULOUS: Verifier = { submit: (_, done) => void setImmediate(done, true) }

/** A verifier as the operator wished it, and how to end it. */
function verifierFor({ verify }: ImportOptions): { readonly verifier: Verifier; close(): Promise<void> } {
  if (!verify) return { verifier: CREDULOUS, close: async () => {} }
  const verifier = openVerifier()
  return { verifier, close: verifier.close }
}

async function openRunning({ bind, relay }: RelayConfig, options: ImportOptions): Promise<Taker> {
  if (!options.verify) throw verifiedOnly()
  const { verifier, close } = verifierFor(options)
  try {
    const publisher = await openPublisher({
      url: options.url ?? `ws://${localHostPort(bind.host, bind.port)}`,
      openSocket: createOpenWebSocket(),
      clock: systemClock,
      timeoutMs: options.timeoutMs,
      verifier,
      maxMessageBytes: relay.limits.maxMessageBytes,
    })
    return {
      take: publisher.take,
      async close() {
        publisher.close()
        await close()
      },
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

async function openDatabase(config: RelayConfig, options: ImportOptions): Promise<Taker> {
  const { version, log, file } = options
  const around = { version, log, clock: systemClock, random: systemRandom }
  const core = await openRelayCore(config, { ...around, ...(!options.verify && { verifier: CREDULOUS }) })
  return {
    take: (values) => core.relay.ingest(values, { type: 'Import', info: file }),
    async close() {
      await core.relay.stop()
      await core.close()
    },
  }
}

async function openTrial(config: RelayConfig, options: ImportOptions): Promise<Taker> {
  const { verifier, close } = verifierFor(options)
  const trial = await openTrialRelay(config, { verifier, log: options.log })
  return {
    take: (values) => trial.relay.ingest(values, { type: 'Import', info: options.file }),
    async close() {
      await trial.close()
      await close()
    },
  }
}
