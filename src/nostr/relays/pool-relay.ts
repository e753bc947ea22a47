// One relay of the pool: its connections, faults and health.
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { NostrEvent } from '../event/index.js'
import type { RelayClient } from './client.js'
import { createKeyLinks } from './key-links.js'
import { createOneTimeKeySupport, type OneTimeKeySupport, probe } from './one-time-key-support.js'
import { createOutageLog } from './outage-log.js'
import type { OpenSocket, PoolLog } from './ports.js'
import { createStrikes, type Fault } from './strikes.js'
import { createSubscribedLink, type RelayShare, type SubscribedLink } from './subscribed-link.js'
import { createWaiters } from './waiters.js'
import type { WatchPlan } from './watch-plan.js'
import type { WrapIntake } from './wrap-intake.js'

export interface RelayHealth {
  readonly url: string
  readonly state: 'connected' | 'connecting' | 'waiting' | 'shunned'
  /** The relay answered every subscription on this connection and closed none. */
  readonly subscribed: boolean
  /** Epoch ms of the last change of state. */
  readonly since: number
  readonly lastError: string | null
  readonly roundTripMs: number | null
  /** Gift wraps to watched keys, copies included. */
  readonly received: number
  readonly blamed: number
  /** The relay sent a NIP-42 challenge. */
  readonly challenges: boolean
  /** Whether gift wraps to one-time keys arrive over the main connection, or only over one connection per key. */
  readonly oneTimeKeys: OneTimeKeySupport
}

export interface PoolRelayParts {
  /** As configured. */
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: RandomBytes
  readonly log: PoolLog
  readonly plan: WatchPlan
  readonly wraps: WrapIntake
  readonly mainPubkey: string
  /** The AUTH event for a challenge of this relay; undefined if the till does not have the key. */
  readonly sign: (challenge: string, relay: string, pubkey: string) => NostrEvent | undefined
  /** A connection or a subscription changed. */
  readonly changed: () => void
}

export interface PoolRelay {
  start(): void
  /** Brings the subscriptions up to date. */
  flush(): void
  fetch(pubkeys: Iterable<string>): void
  /** The client of the main connection; waits up to `ms`, unless the relay is shunned. */
  client(ms: number): Promise<RelayClient | undefined>
  /** Whether every open connection subscribes to all keys up to this revision. */
  knows(revision: number): boolean
  blame(fault: Fault, why: string): void
  tick(): void
  health(): RelayHealth
  close(): void
}

export function createPoolRelay(parts: PoolRelayParts): PoolRelay {
  const { url, clock, log, plan, wraps, mainPubkey, changed } = parts
  const strikes = createStrikes(clock)
  const outages = createOutageLog(url, clock, log)
  const arrivals = createWaiters(clock)
  const links: SubscribedLink[] = []
  let lastError: string | null = null
  let received = 0
  let challenges = false
  let isProbing = false
  let started = false

  const sign = (pubkey: string) => (challenge: string) => parts.sign(challenge, url, pubkey)

  function shun(why: string): void {
    const minutes = Math.round((strikes.shunnedUntil() - clock.monotonic()) / 60_000)
    lastError = `shunned: ${why}`
    log.warn({ relay: url, why, minutes, faults: strikes.total() }, 'relay misbehaves and is left alone for a while')
    for (const link of links) link.drop(lastError)
    keyLinks.drop(lastError)
  }

  function blame(fault: Fault, why: string): void {
    if (strikes.add(fault)) shun(why)
  }

  const share: RelayShare = {
    ...parts,
    shunnedUntil: strikes.shunnedUntil,
    deliver(value) {
      const delivered = wraps.deliver(value, url)
      if (typeof delivered === 'object') received++
      return delivered
    },
    isWatched: plan.has,
    revision: plan.revision,
    fault: (fault) => blame(fault, fault),
    noted: (text) => {
      lastError = text
    },
    onDefect: (thrown) => log.error({ relay: url, err: thrown }, 'something about a relay could not be handled'),
  }
  const keyLinks = createKeyLinks({ share, plan, mainPubkey, sign: parts.sign })

  const oneTimeKeys = createOneTimeKeySupport({
    url,
    log,
    mainPubkey,
    isMainWatched: () => plan.has(mainPubkey),
    onPerConnection() {
      for (const link of links.splice(1)) link.close()
      links[0]?.reset()
      keyLinks.refresh()
    },
  })
  const isPerConnection = () => oneTimeKeys.state() === 'per-connection'
  const groupsOf = (index: number) => (isPerConnection() ? plan.groups(0).slice(0, 1) : plan.groups(index))

  function up(): void {
    oneTimeKeys.connected()
    outages.up()
    arrivals.wake()
    changed()
  }

  async function authenticated(client: RelayClient): Promise<void> {
    if (oneTimeKeys.state() !== 'unknown' || isProbing) return
    isProbing = true
    const cameBack = await probe(client, parts)
    isProbing = false
    if (cameBack !== undefined && links[0]?.client() === client) oneTimeKeys.probed(cameBack)
  }

  function down(reason: string): void {
    lastError = reason
    outages.down(reason)
    changed()
  }

  function addLink(index: number): void {
    const isFirst = index === 0
    const link = createSubscribedLink({
      share,
      sign: sign(mainPubkey),
      groups: () => groupsOf(index),
      onUp: isFirst ? up : changed,
      onDown: isFirst ? down : changed,
      onChallenge: () => {
        challenges = true
        oneTimeKeys.challenged()
      },
      onAuthenticated: (client) => void authenticated(client),
      onDelivery: oneTimeKeys.arrived,
      onServed(group) {
        oneTimeKeys.served(group)
        changed()
      },
      onRestricted: oneTimeKeys.restricted,
    })
    links.push(link)
    link.start()
  }

  function flush(): void {
    if (!started) return
    const wanted = isPerConnection() ? 1 : plan.links()
    while (links.length < wanted) addLink(links.length)
    for (const link of links) link.flush()
  }

  function state(): RelayHealth['state'] {
    const own = links[0]?.state() ?? 'waiting'
    return own === 'waiting' && strikes.shunnedUntil() > clock.monotonic() ? 'shunned' : own
  }

  return {
    start() {
      started = true
      flush()
    },
    flush,
    fetch(pubkeys) {
      for (const link of links) link.fetch(pubkeys)
      keyLinks.fetch(pubkeys)
    },
    async client(ms) {
      const now = links[0]?.client()
      if (now || state() === 'shunned') return now
      await arrivals.until(() => !started || links[0]?.client() !== undefined, ms)
      return links[0]?.client()
    },
    knows: (revision) => links.every((link) => !link.client() || link.revision() >= revision),
    blame,
    tick() {
      outages.tick()
      flush()
      for (const link of links) link.tick()
      if (isPerConnection()) keyLinks.refresh()
      keyLinks.tick()
    },
    health: () => ({
      url,
      state: state(),
      subscribed: links.length > 0 && links.every((link) => link.subscribed()),
      since: links[0]?.since() ?? clock.now(),
      lastError,
      roundTripMs: links[0]?.client()?.roundTripMs() ?? null,
      received,
      blamed: strikes.total(),
      challenges,
      oneTimeKeys: oneTimeKeys.state(),
    }),
    close() {
      started = false
      for (const link of links) link.close()
      keyLinks.close()
      arrivals.wake()
    },
  }
}
