// `relay import`: every event passes the usual checks, the write policy included. A running relay takes them over its own address; otherwise the
// relay is assembled here without a listener.
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { RelayConfig } from '../config/index.js'
import { messageOf } from '../lib/errors.js'
import { localHostPort } from '../lib/url.js'
import { type ImportCounts, importLines, openPublisher, type PublishAnswer, type Verifier } from '../relay/index.js'
import { isRelayServed } from '../storage/index.js'
import { createOpenWebSocket, type SystemLog, systemClock, systemRandom } from '../system/index.js'
import { openVerifier } from '../workers/index.js'
import { eventsFileUnreadable, verifiedOnly } from './errors.js'
import { openRelayCore } from './parts/relay/core.js'
import { openTrialRelay } from './parts/relay/trial-relay.js'

export interface ImportOptions {
  readonly version: string
  readonly log: SystemLog
  /** `-` is standard input. */
  readonly file: string
  /** False: signatures are not checked. */
  readonly verify: boolean
  readonly isDryRun: boolean
  /** Address of the running relay, if not that of the settings. */
  readonly url?: string | undefined
  readonly timeoutMs: number
  readonly onProgress?: ((sofar: ImportCounts) => void) | undefined
}

/** The `--json` document of `relay import`. */
export interface EventImportView extends ImportCounts {
  readonly file: string
  readonly dry_run: boolean
  /** What took the events. */
  readonly through: keyof typeof OPEN_TARGET
}

/** Takes values of parsed JSON and returns the relay's answers. */
interface EventTarget {
  take(values: readonly unknown[]): Promise<readonly PublishAnswer[]>
  close(): Promise<void>
}

/** Throws EVENTS_FILE_UNREADABLE, RELAY_UNREACHABLE, RELAY_SYNC_FAILED, VERIFIED_ONLY, and what opening the database throws. */
export async function importEvents(config: RelayConfig, options: ImportOptions): Promise<EventImportView> {
  const { file, isDryRun, onProgress } = options
  const chunks = await chunksOf(file)
  try {
    const through = isDryRun ? 'nobody' : (await isServed(config)) ? 'running relay' : 'database'
    const target = await OPEN_TARGET[through](config, options)
    try {
      const longestLine = LINE_FACTOR * config.relay.limits.maxMessageBytes
      const counts = await importLines({ chunks, longestLine, take: target.take, onProgress })
      return { file, dry_run: isDryRun, through, ...counts }
    } finally {
      await target.close()
    }
  } finally {
    chunks.destroy()
  }
}

/** Escapes and unknown members make a line longer than its event. */
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

type OpenEventTarget = (config: RelayConfig, options: ImportOptions) => Promise<EventTarget>

const OPEN_TARGET = {
  'running relay': openRunning,
  database: openDatabase,
  nobody: openTrial,
} as const satisfies Readonly<Record<string, OpenEventTarget>>

const TRUSTING_VERIFIER: Verifier = { submit: (_, done) => void setImmediate(done, true) }

/** The verifier that the options ask for, and how to close it. */
function verifierFor({ verify }: ImportOptions): { readonly verifier: Verifier; close(): Promise<void> } {
  if (!verify) return { verifier: TRUSTING_VERIFIER, close: async () => {} }
  const verifier = openVerifier()
  return { verifier, close: verifier.close }
}

async function openRunning({ bind, relay }: RelayConfig, options: ImportOptions): Promise<EventTarget> {
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

async function openDatabase(config: RelayConfig, options: ImportOptions): Promise<EventTarget> {
  const { version, log, file } = options
  const context = { version, log, clock: systemClock, random: systemRandom }
  const core = await openRelayCore(config, { ...context, ...(!options.verify && { verifier: TRUSTING_VERIFIER }) })
  return {
    take: (values) => core.relay.ingest(values, { type: 'Import', info: file }),
    async close() {
      await core.relay.stop()
      await core.close()
    },
  }
}

async function openTrial(config: RelayConfig, options: ImportOptions): Promise<EventTarget> {
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
