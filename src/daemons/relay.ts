// `serve relay`: assembles the relay. Composition only; decisions are in the parts.
import type { FastifyInstance } from 'fastify'
import type { RelayConfig } from '../config/index.js'
import { createApp, createReadiness } from '../http/index.js'
import { collectSeldom, heapLimit } from '../lib/heap.js'
import { noticeLine } from '../lib/notice-line.js'
import { managementRoute, RELAY_APP, type Relay, relayHttp } from '../relay/index.js'
import {
  handedOverSocket,
  type SystemClock,
  type SystemLog,
  type SystemRandom,
  systemClock,
  systemRandom,
} from '../system/index.js'
import { runInForeground } from './foreground.js'
import { migrateFirst } from './parts/migrate-first.js'
import { processName } from './parts/process-name.js'
import type { RelayConsoleParts } from './parts/relay/console.js'
import { openRelayCore, type RelayCore } from './parts/relay/core.js'
import { fitToHeap } from './parts/relay/memory.js'
import { relayMetrics } from './parts/relay/metrics.js'
import { operatorPages, restrictionsOf } from './parts/relay/settings.js'
import { reportSignatureSetup, type SignatureStatus } from './parts/relay/signature-report.js'
import { createRelayWeb } from './parts/relay/web.js'
import { createTorListener } from './parts/tor-listener.js'
import { addressOf } from './parts/web.js'
import { checksOf, createDaemon, type Daemon, type DaemonOptions, type Part } from './runtime.js'

export interface RelayDaemon extends Daemon {
  readonly relay: Relay
  readonly signatures: SignatureStatus
  /** Resolves when it has to stop for good. */
  readonly failure: Promise<Error> | undefined
  /** Its local address, e.g. `http://127.0.0.1:7777`; only while it runs. */
  address(): string
  /** Reloads what the operator may change at run time. */
  reload(): Promise<void>
}

/**
 * Opens the databases and assembles the relay; nothing listens or loops before `start`. Throws what opening the databases throws, and
 * CONFIGURATION for an unreadable file of the operator.
 */
export async function openRelayDaemon(given: RelayConfig, options: DaemonOptions): Promise<RelayDaemon> {
  const config = fitToHeap(given, heapLimit())
  const { log, version, clock = systemClock, random = systemRandom } = options
  if (options.migrate && config.log) await migrateFirst('relay', config.log, log)
  const pages = operatorPages(config)
  const core = await openRelayCore(config, { version, log, clock, random })
  try {
    const { relay, parts, size, readers, signatures } = core
    const app = await openApp({ config, core, pages, version, log, clock, random })
    const { metricsBind: bind } = config
    const checks = () => checksOf(parts)
    // First, so that metrics show why other parts fail to start.
    const metrics = bind
      ? [
          await relayMetrics({
            bind,
            version,
            relay,
            size,
            readers,
            dbPath: config.dbPath,
            signatures: signatures.current,
            lagMs: core.log?.lagMs,
            checks,
            clock,
            random,
          }),
        ]
      : []
    const consoles = config.console
      ? await openConsole({ config, core, address: () => addressOf(app), checks, clock, random, log })
      : []
    const web = createRelayWeb({ config, app, relay, isBlocked: core.isBlocked, clock, log, fd: options.fd })
    const tor = config.torBind ? [createTorListener({ app, bind: config.torBind })] : []
    return {
      ...createDaemon([...metrics, ...parts, ...consoles, web, ...tor, core.warmUp], log),
      relay,
      signatures,
      failure: core.log?.failure,
      address: () => addressOf(app),
      reload: core.reload,
    }
  } catch (thrown) {
    await core.close()
    throw thrown
  }
}

/** Most relays do without. */
const openConsole = async (parts: RelayConsoleParts): Promise<readonly Part[]> =>
  (await import('./parts/relay/console.js')).createRelayConsole(parts)

interface AppParts {
  readonly config: RelayConfig
  readonly core: RelayCore
  readonly pages: ReturnType<typeof operatorPages>
  readonly version: string
  readonly log: SystemLog
  readonly clock: SystemClock
  readonly random: SystemRandom
}

async function openApp({ config, core, pages, version, log, clock, random }: AppParts): Promise<FastifyInstance> {
  const { trustedProxies, addressHeader } = config
  const { problem } = core.authority
  const app = createApp({ ...RELAY_APP, problem, log, clock, random, trustedProxies, addressHeader })
  await app.register(relayHttp, {
    settings: config.relay,
    info: core.info,
    restrictions: restrictionsOf(config),
    kinds: core.kinds,
    isManaged: core.isManaged,
    version,
    readiness: createReadiness({ checks: () => checksOf(core.parts), clock }),
    pages,
    process: processName(random),
  })
  if (core.management) await app.register(managementRoute, { management: core.management })
  await core.authority.mount(app)
  await app.ready()
  return app
}

/** `serve relay`: runs until a stop signal. Throws what opening or starting throws, after stopping everything. */
export async function serveRelay(config: RelayConfig, options: DaemonOptions): Promise<void> {
  for (const notice of config.notices) options.log.warn({}, noticeLine(notice))
  collectSeldom()
  const daemon = await openRelayDaemon(config, { fd: handedOverSocket(), ...options })
  const { host, port } = config.bind
  const start = async () => {
    await daemon.start()
    void daemon.signatures.known.then((setup) => reportSignatureSetup(setup, options.log))
  }
  await runInForeground(
    { ...daemon, start },
    { log: options.log, failure: daemon.failure, status: `listening on ${host}:${port}`, reload: daemon.reload },
  )
}
