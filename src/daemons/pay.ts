// `serve pay`: what the till is made of. Composition only; every decision is in the part that it names.
import type { PayConfig } from '../config/index.js'
import type { Keychain } from '../grin/keychain/index.js'
import { takeKeychain } from '../grin/seedfile/index.js'
import { createSendWebhook } from '../http/index.js'
import { noticeLine } from '../lib/notice-line.js'
import type { Secret } from '../lib/secret.js'
import { createSteadyClock } from '../lib/steady-clock.js'
import { createRates } from '../rates/index.js'
import { handedOverSocket, systemClock, systemRandom } from '../system/index.js'
import { createTill, createWallet, type Till, tillLoops } from '../till/index.js'
import { createRangeWorkers, type RangeWorkers } from '../workers/index.js'
import { runInForeground } from './foreground.js'
import { createInstancePart } from './parts/instance.js'
import { createLoop } from './parts/loop.js'
import { migrateFirst } from './parts/migrate-first.js'
import { createTillChain } from './parts/pay/chain.js'
import { nodeCheck, walletCheck, webhooksCheck } from './parts/pay/checks.js'
import type { ConsoleParts } from './parts/pay/console.js'
import { openTillIdentity } from './parts/pay/identity.js'
import { createKeyPace } from './parts/pay/key-counter.js'
import { createLiveSecrets } from './parts/pay/live-secrets.js'
import { countInvoices, createMetricsPart } from './parts/pay/metrics.js'
import type { TillNetwork } from './parts/pay/network.js'
import { createRails } from './parts/pay/rails.js'
import { abandonRemovedReceivers } from './parts/pay/removed-receivers.js'
import { openWalletSeed } from './parts/pay/seed.js'
import { settingsInCommon, tillSettings } from './parts/pay/settings.js'
import { openTill, type Sharing } from './parts/pay/till-store.js'
import { createTillWeb } from './parts/pay/web.js'
import { checksOf, createDaemon, type Daemon, type DaemonOptions, type Part } from './runtime.js'

export interface PayOptions extends DaemonOptions {
  /** Seconds between two passes over the payments that are due; 30 by default. */
  readonly confirmEverySeconds?: number
  /** Threads that the caller owns and closes; by default the till starts its own. */
  readonly workers?: RangeWorkers
  /** Links to use instead of sockets. */
  readonly network?: TillNetwork
  /** Opens the keychain of the seed, and overwrites the seed; tests plant faults here. */
  readonly keychainOf?: (seed: Secret<Uint8Array>) => Keychain
  /** Reads the settings again: from then on secrets are taken up while the till runs. */
  readonly reread?: () => Pick<PayConfig, 'rotating' | 'webhooks'>
}

export interface PayDaemon extends Daemon {
  readonly till: Till
  /** What each part says of itself, as `/ready` asks it. */
  checks(): ReturnType<typeof checksOf>
  /** Resolves when it has to stop for good. */
  readonly failure: Promise<Error> | undefined
  /** Takes up tokens, webhook secret and certificate anew. Rejects when the settings are no good, with everything as it was. */
  reload(): Promise<void>
}

/**
 * Opens the wallet, the identity and the database, and puts the till together; nothing listens and no loop runs before `start`.
 * Throws what these throw: a missing or foreign wallet, a wrong password, a database in use or of another chain.
 */
export async function openPayDaemon(config: PayConfig, options: PayOptions): Promise<PayDaemon> {
  const { log, random = systemRandom, network = {} } = options
  const clock = createSteadyClock(options.clock ?? systemClock)
  if (options.migrate && config.database) await migrateFirst('pay', config.database, log)
  const entropy = await openWalletSeed(config, random)
  const identity = await openTillIdentity(config, random)
  const workers = options.workers ? lent(options.workers) : createRangeWorkers()
  const keychain = (options.keychainOf ?? takeKeychain)(entropy)
  const wallet = createWallet({
    keychain,
    prefix: config.chain === 'mainnet' ? 'grin' : 'tgrin',
    prove: workers.prove,
    verify: workers.verify,
    random,
    clock,
    onFault: (fault) => log.error({ fault }, 'the wallet is stopped'),
  })
  const opened = await openTill(config, { clock, random, log, fingerprint: wallet.address }).catch(
    async (thrown: unknown) => {
      await workers.close()
      throw thrown
    },
  )
  const { store, sharing, failure, reserve } = opened
  const hasSpareKey = await createKeyPace(store, clock.now)
  const chain = createTillChain(config, clock, network)
  const settings = tillSettings(config)
  await abandonRemovedReceivers(store, settings, log)
  const secrets = createLiveSecrets({ ...config, reread: options.reread, clock, log })
  const shared = { store, workerId: random.uuid(), wallet, identity: identity.secret, clock, random, settings, log }
  const rails = createRails({ ...shared, config, sharing, keychain, version: options.version, ...network })
  const rates = createRates({
    ...config,
    sources: config.rateSources,
    cacheTtl: config.rateCacheTtl,
    staleMax: config.rateStaleMax,
    maxJump: config.rateMaxJump,
    ...(network.fetch && { fetch: network.fetch }),
    clock,
    log,
  })
  const till = createTill({
    ...shared,
    ...rails.seams,
    chain,
    hasSpareKey,
    hasRoom: reserve?.hasRoom,
    rates,
    send: network.send ?? createSendWebhook({ allowPlainHttp: config.webhookAllowHttp }),
    webhookSecrets: secrets.webhookSecrets,
    version: options.version,
    ...(options.confirmEverySeconds === undefined ? {} : { confirmEverySeconds: options.confirmEverySeconds }),
  })
  const loops = [...tillLoops(till, options.confirmEverySeconds), ...rails.loops]
  const instancePart = ({ instances }: Sharing): Part =>
    createInstancePart({
      ...{ instances, daemon: 'pay', version: options.version, clock, log },
      alike: settingsInCommon(config, { wallet: wallet.address, identity: identity.pubkey }),
    })
  const inner: readonly Part[] = [
    { name: 'workers', start: () => workers.ready, stop: workers.close },
    opened.part,
    ...(reserve ? [reserve.part] : []),
    ...(sharing ? [instancePart(sharing)] : []),
    { name: 'wallet', start: async () => {}, stop: async () => {}, check: async () => walletCheck(wallet) },
    { name: 'node', start: async () => {}, stop: async () => chain.close(), check: () => nodeCheck(till) },
    { name: 'webhooks', start: async () => {}, stop: () => till.close(), check: () => webhooksCheck(till) },
    ...rails.partsFor(till),
    ...loops.map((loop) => createLoop({ ...loop, sleep: clock.sleep, log })),
  ]
  const { till: counted, counts } = countInvoices(till)
  const { metricsBind: bind } = config
  const { version, fd } = options
  const web = await createTillWeb({
    ...{ config, version, log, fd, till: counted, secrets, inner, clock, random },
    ...network,
  })
  const watched = web.certificate ? [web.certificate.part] : []
  const checks = () => checksOf(inner)
  const consoles = config.console
    ? [await openConsole({ config, log, clock, random, till: counted, store, rates, checks })]
    : []
  // First, so that it also tells what keeps the others from starting.
  const metrics = bind
    ? [await createMetricsPart({ bind, version, till, invoices: counts, dbPath: config.dbPath, checks, clock, random })]
    : []
  return {
    till,
    checks,
    failure,
    async reload() {
      await secrets.reload()
      web.certificate?.reload()
    },
    ...createDaemon([...metrics, ...inner, ...secrets.parts, ...watched, ...consoles, web.part], log),
  }
}

/** Most tills do without. */
const openConsole = async (parts: ConsoleParts): Promise<Part> =>
  (await import('./parts/pay/console.js')).createTillConsole(parts)

const lent = (workers: RangeWorkers): RangeWorkers => ({ ...workers, close: async () => undefined })

/** `serve pay`: runs until a stop signal. Throws what opening or starting throws, with everything stopped again. */
export async function servePay(config: PayConfig, options: PayOptions): Promise<void> {
  for (const notice of config.notices) options.log.warn({}, noticeLine(notice))
  const daemon = await openPayDaemon(config, { fd: handedOverSocket(), ...options })
  const { host, port } = config.bind
  const { failure } = daemon
  await runInForeground(daemon, {
    log: options.log,
    failure,
    status: `listening on ${host}:${port}, chain ${config.chain}`,
    ...(options.reread && { reload: daemon.reload }),
  })
}
