// `serve nameauth`: what the name authority is made of. Composition only; every decision is in the part that it names.
import type { FastifyInstance } from 'fastify'
import { AUTHORITY_APP, type Authority, authorityHttp, createAuthority } from '../authority/index.js'
import type { TipRules } from '../chain/index.js'
import type { NameauthConfig } from '../config/index.js'
import { createApp, createReadiness } from '../http/index.js'
import { noticeLine } from '../lib/notice-line.js'
import { handedOverSocket, type SystemClock, type SystemRandom, systemClock, systemRandom } from '../system/index.js'
import { runInForeground } from './foreground.js'
import { createInstancePart } from './parts/instance.js'
import { createLoop } from './parts/loop.js'
import { operatingFamilies, processFamilies, readDisk } from './parts/metrics.js'
import { createMetricsListener, type MetricsListenerParts } from './parts/metrics-listener.js'
import type { NameConsoleParts } from './parts/nameauth/console.js'
import { openNames } from './parts/nameauth/names-store.js'
import { nameSettings, settingsInCommon } from './parts/nameauth/settings.js'
import { openKernels, openPayments } from './parts/nameauth/sources.js'
import { processName } from './parts/process-name.js'
import { createTorListener } from './parts/tor-listener.js'
import { addressOf, createWebPart } from './parts/web.js'
import { type Check, checksOf, createDaemon, type Daemon, type DaemonOptions, type Part } from './runtime.js'

export interface NameauthOptions extends DaemonOptions {
  /** When a Grin node counts; a public chain's rules by default. */
  readonly tipRules?: TipRules
}

export interface NameDaemon extends Daemon {
  readonly authority: Authority
  /** Where it answers on this machine, e.g. `http://127.0.0.1:8191`; only while it runs. */
  address(): string
  /** Resolves when it has to stop for good. */
  readonly failure: Promise<Error> | undefined
}

/**
 * Opens the database and puts the authority together; nothing listens and no loop runs before `start`.
 * Throws what opening the database throws.
 */
export async function openNameDaemon(config: NameauthConfig, options: NameauthOptions): Promise<NameDaemon> {
  const { log, clock = systemClock, random = systemRandom } = options
  const payments = await openPayments(config, { clock, log })
  const kernels = await openKernels(config, { clock, log, tipRules: options.tipRules })
  const { store, lookups, failure, instances, part, reserve } = await openNames(config, {
    ...{ clock, random, log, migrate: options.migrate },
  })
  const authority = createAuthority({
    store,
    lookups,
    clock,
    log,
    settings: nameSettings(config),
    payments: payments?.source,
    webhookSecret: config.webhookSecret,
    kernels: kernels?.source,
    hasRoom: reserve?.hasRoom,
  })
  const instance = instances && {
    ...{ instances, daemon: 'nameauth', version: options.version, alike: settingsInCommon(config), clock, log },
  }
  const inner: readonly Part[] = [
    part,
    ...(reserve ? [reserve.part] : []),
    ...(instance ? [createInstancePart(instance)] : []),
    ...[payments, kernels].flatMap((source) => (source ? [source.part] : [])),
    ...authority.loops.map(({ name, everyMs, pass }) => createLoop({ name, everyMs, pass, sleep: clock.sleep, log })),
  ]
  const app = await openApp({ config, options, authority, inner, clock, random })
  const { metricsBind, dbPath } = config
  const checks = () => checksOf(inner)
  // First, so that it also tells what keeps the others from starting.
  const metrics = metricsBind
    ? [await nameauthMetrics({ bind: metricsBind, version: options.version, dbPath, checks, clock, random })]
    : []
  const consoles = config.console ? [await openConsole({ config, store, clock, random, log })] : []
  const web = createWebPart({ app, ...config.bind, fd: options.fd })
  const tor = config.torBind ? [createTorListener({ app, bind: config.torBind })] : []
  const daemon = createDaemon([...metrics, ...inner, ...consoles, web, ...tor], log)
  return { authority, address: () => addressOf(app), failure, ...daemon }
}

/** Most authorities do without. */
const openConsole = async (parts: NameConsoleParts): Promise<Part> =>
  (await import('./parts/nameauth/console.js')).createNameConsole(parts)

interface AppParts {
  readonly config: NameauthConfig
  readonly options: NameauthOptions
  readonly authority: Authority
  readonly inner: readonly Part[]
  readonly clock: SystemClock
  readonly random: SystemRandom
}

async function openApp({ config, options, authority, inner, clock, random }: AppParts): Promise<FastifyInstance> {
  const { trustedProxies, readRate, writeRate } = config
  const app = createApp({ ...AUTHORITY_APP, log: options.log, clock, random, trustedProxies })
  await app.register(authorityHttp, {
    authority,
    rates: { read: readRate, write: writeRate },
    version: options.version,
    readiness: createReadiness({ checks: () => checksOf(inner), clock }),
    process: processName(random),
  })
  await app.ready()
  return app
}

/** `serve nameauth`: runs until a stop signal. Throws what opening or starting throws, with everything stopped again. */
export async function serveNameauth(config: NameauthConfig, options: NameauthOptions): Promise<void> {
  for (const notice of config.notices) options.log.warn({}, noticeLine(notice))
  const daemon = await openNameDaemon(config, { fd: handedOverSocket(), ...options })
  const { host, port } = config.bind
  const { failure } = daemon
  await runInForeground(daemon, {
    log: options.log,
    failure,
    status: `listening on ${host}:${port}, names of ${config.domain}`,
  })
}

interface NameauthMetricsParts extends Omit<MetricsListenerParts, 'collect'> {
  readonly version: string
  readonly dbPath: string
  /** What the parts say of themselves. */
  readonly checks: () => Promise<readonly (Check & { readonly name: string })[]>
}

/** Listening throws ADDRESS_IN_USE. */
const nameauthMetrics = ({ version, dbPath, checks, ...listener }: NameauthMetricsParts): Promise<Part> =>
  createMetricsListener({
    ...listener,
    collect: async (process) => [
      ...operatingFamilies({
        daemon: 'nameauth',
        version,
        checks: await checks().catch(() => undefined),
        disk: await readDisk(dbPath),
        now: process.now,
      }),
      ...processFamilies(process),
    ],
  })
