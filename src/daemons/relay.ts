// `serve relay`: what the relay is made of. Composition only; every decision is in the part that it names.
import type { FastifyInstance } from 'fastify'
import type { RelayConfig } from '../config/index.js'
import { createApp, createReadiness } from '../http/index.js'
import { RELAY_APP, relayHttp } from '../relay/index.js'
import { type Clock, type Log, type Random, systemClock, systemRandom } from '../system/index.js'
import { runInForeground } from './foreground.js'
import { type AuthorityMount, openAuthorityMount } from './parts/authority-mount.js'
import { restrictionsOf, takenKinds } from './parts/relay-settings.js'
import { addressOf, createWebPart } from './parts/web.js'
import { checksOf, createDaemon, type Daemon, type Part } from './runtime.js'

export interface RelayOptions {
  /** Of the package. */
  readonly version: string
  readonly log: Log
  readonly clock?: Clock
  readonly random?: Random
}

export interface RelayDaemon extends Daemon {
  /** Where it answers on this machine, e.g. `http://127.0.0.1:7777`; only while it runs. */
  address(): string
  /** Reads again what the operator may change while the relay runs. */
  reload(): Promise<void>
}

/**
 * Opens the databases and puts the relay together; nothing listens and no loop runs before `start`.
 * Throws what opening the databases throws.
 */
export async function openRelayDaemon(config: RelayConfig, options: RelayOptions): Promise<RelayDaemon> {
  const { log, version, clock = systemClock, random = systemRandom } = options
  const authority = await openAuthorityMount(config, { version, clock, log })
  const inner: readonly Part[] = [...authority.parts]
  const app = await openApp({ config, options, authority, inner, clock, random })
  const daemon = createDaemon([...inner, createWebPart({ app, ...config.bind })], log)
  return { ...daemon, address: () => addressOf(app), reload: async () => {} }
}

interface AppParts {
  readonly config: RelayConfig
  readonly options: RelayOptions
  readonly authority: AuthorityMount
  readonly inner: readonly Part[]
  readonly clock: Clock
  readonly random: Random
}

async function openApp({ config, options, authority, inner, clock, random }: AppParts): Promise<FastifyInstance> {
  const { trustedProxies, addressHeader } = config
  const { problem } = authority
  const app = createApp({ ...RELAY_APP, problem, log: options.log, clock, random, trustedProxies, addressHeader })
  await app.register(relayHttp, {
    settings: config.relay,
    info: () => config.relay.info,
    restrictions: restrictionsOf(config),
    kinds: takenKinds(config),
    version: options.version,
    readiness: createReadiness({ checks: () => checksOf(inner), clock }),
  })
  await authority.mount(app)
  await app.ready()
  return app
}

/** `serve relay`: runs until a stop signal. Throws what opening or starting throws, with everything stopped again. */
export async function serveRelay(config: RelayConfig, options: RelayOptions): Promise<void> {
  for (const notice of config.notices) options.log.warn({}, notice)
  const daemon = await openRelayDaemon(config, options)
  const { host, port } = config.bind
  await runInForeground(daemon, { log: options.log, status: `listening on ${host}:${port}`, reload: daemon.reload })
}
