// `serve relay`: what the relay is made of. Composition only; every decision is in the part that it names.
import type { FastifyInstance } from 'fastify'
import type { RelayConfig } from '../config/index.js'
import { clientKey, createApp, createReadiness } from '../http/index.js'
import { attachSockets, createRelay, createWritePolicy, RELAY_APP, type Relay, relayHttp } from '../relay/index.js'
import { openEventStore } from '../storage/index.js'
import { type Clock, type Log, type Random, systemClock, systemRandom } from '../system/index.js'
import { openVerifier } from '../workers/index.js'
import { runInForeground } from './foreground.js'
import { type AuthorityMount, openAuthorityMount } from './parts/authority-mount.js'
import type { ReadProcess } from './parts/figures.js'
import { createFiguresPart } from './parts/figures-listener.js'
import { policyPlugin } from './parts/policy-plugin.js'
import { relayFamilies } from './parts/relay-figures.js'
import { operatorPages, policySettings, restrictionsOf, takenKinds } from './parts/relay-settings.js'
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
  readonly relay: Relay
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
  const pages = operatorPages(config)
  const authority = await openAuthorityMount(config, { version, clock, log })
  const { giftWrapRecipientDelete } = config.relay.limits
  const store = await openEventStore({ path: config.dbPath, clock, giftWrapRecipientDelete })
  const verifier = openVerifier()
  const plugin = policyPlugin(config, { clock, log })
  const policy = createWritePolicy({ settings: policySettings(config), authority: authority.asked, plugin, clock, log })
  const relay = createRelay({ settings: config.relay, store, verifier, policy, clock, random, log })
  const inner: readonly Part[] = [
    ...authority.parts,
    owned(
      'database',
      () => store.close(),
      () => store.check().then(() => ({ ok: true, detail: 'writable' })),
    ),
    owned('signatures', () => verifier.close()),
    owned('policy', () => policy.close()),
  ]
  const app = await openApp({ config, options, authority, pages, inner, clock, random })
  const metrics = await metricsParts({ config, options, relay, inner, clock, random })
  const daemon = createDaemon([...metrics, ...inner, webPart({ config, app, relay, clock, log })], log)
  return { ...daemon, relay, address: () => addressOf(app), reload: async () => {} }
}

/** Something that was opened before the start. */
const owned = (name: string, stop: () => Promise<void>, check?: Part['check']): Part => ({
  name,
  start: async () => {},
  stop,
  ...(check && { check }),
})

interface AppParts {
  readonly config: RelayConfig
  readonly options: RelayOptions
  readonly authority: AuthorityMount
  readonly pages: ReturnType<typeof operatorPages>
  readonly inner: readonly Part[]
  readonly clock: Clock
  readonly random: Random
}

async function openApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, options, authority, pages, inner, clock, random } = parts
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
    pages,
  })
  await authority.mount(app)
  await app.ready()
  return app
}

type MetricsParts = Omit<AppParts, 'authority' | 'pages'> & { readonly relay: Relay }

/** First, so that it also tells what keeps the others from starting. */
async function metricsParts({ config, options, relay, inner, clock, random }: MetricsParts): Promise<readonly Part[]> {
  const { metricsBind: bind } = config
  if (!bind) return []
  const { version } = options
  const collect = async (process: ReadProcess) =>
    relayFamilies({ version, relay: relay.figures(), checks: await checksOf(inner), ...process })
  return [await createFiguresPart({ bind, collect, clock, random })]
}

interface WebParts {
  readonly config: RelayConfig
  readonly app: FastifyInstance
  readonly relay: Relay
  readonly clock: Clock
  readonly log: Log
}

/** Stopping says goodbye to all clients before the listener closes. */
function webPart({ config, app, relay, clock, log }: WebParts): Part {
  const { server, addressOf: address } = app
  const { compression, bind } = config
  const sockets = attachSockets({
    ...{ server, relay, path: '/', limits: config.relay.limits, compression, clock, log, clientKey },
    addressOf: address,
  })
  const web = createWebPart({ app, ...bind, upgrades: true })
  return {
    ...web,
    async stop() {
      await sockets.stop()
      await web.stop()
    },
  }
}

/** `serve relay`: runs until a stop signal. Throws what opening or starting throws, with everything stopped again. */
export async function serveRelay(config: RelayConfig, options: RelayOptions): Promise<void> {
  for (const notice of config.notices) options.log.warn({}, notice)
  const daemon = await openRelayDaemon(config, options)
  const { host, port } = config.bind
  await runInForeground(daemon, { log: options.log, status: `listening on ${host}:${port}`, reload: daemon.reload })
}
