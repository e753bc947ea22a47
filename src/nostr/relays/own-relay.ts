// One relay of the till's own set: its connections, its faults, its health.
import type { NostrEvent } from '../event/index.js'
import { createKeyLanes } from './key-lanes.js'
import { createLane, type Lane, type RelayShare } from './lane.js'
import type { Mail } from './mail.js'
import { createOneTimeKeys, type OneTimeKeys } from './one-time-keys.js'
import { createOutageLog } from './outage-log.js'
import type { OpenSocket, RelayClock, RelayLog, RelayRandom } from './ports.js'
import { probe } from './probe.js'
import type { Session } from './session.js'
import { createStrikes, type Fault } from './strikes.js'
import { createWaiters } from './waiters.js'
import type { WatchPlan } from './watch-plan.js'

export interface RelayHealth {
  readonly url: string
  readonly state: 'connected' | 'connecting' | 'waiting' | 'shunned'
  /** Every subscription was answered on this connection, and none was ended. */
  readonly subscribed: boolean
  /** Epoch ms of the last change of state. */
  readonly since: number
  readonly lastError: string | null
  readonly roundTripMs: number | null
  /** Gift wraps to watched keys, copies included. */
  readonly received: number
  readonly blamed: number
  /** It asked for NIP-42. */
  readonly challenges: boolean
  /** Whether mail to one-time keys comes over the main connection, or only over one connection per key. */
  readonly oneTimeKeys: OneTimeKeys
}

export interface OwnRelayParts {
  /** As configured. */
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: RelayClock
  readonly random: RelayRandom
  readonly log: RelayLog
  readonly plan: WatchPlan
  readonly mail: Mail
  readonly mainPubkey: string
  /** The answer to a challenge of this relay as the owner of a key, if we hold it. */
  readonly sign: (challenge: string, relay: string, pubkey: string) => NostrEvent | undefined
  /** A connection came or went, or something was written. */
  readonly changed: () => void
}

export interface OwnRelay {
  start(): void
  /** Brings the subscriptions up to date. */
  flush(): void
  fetch(pubkeys: Iterable<string>): void
  /** The main connection; waits for it up to `ms`, unless the relay is shunned. */
  session(ms: number): Promise<Session | undefined>
  /** Whether every open connection subscribes to all keys up to this revision. */
  knows(revision: number): boolean
  blame(fault: Fault, why: string): void
  tick(): void
  health(): RelayHealth
  close(): void
}

export function createOwnRelay(parts: OwnRelayParts): OwnRelay {
  const { url, clock, log, plan, mail, mainPubkey, changed } = parts
  const strikes = createStrikes(clock)
  const outages = createOutageLog(url, clock, log)
  const arrivals = createWaiters(clock)
  const lanes: Lane[] = []
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
    for (const lane of lanes) lane.drop(lastError)
    keyLanes.drop(lastError)
  }

  function blame(fault: Fault, why: string): void {
    if (strikes.add(fault)) shun(why)
  }

  const share: RelayShare = {
    ...parts,
    shunnedUntil: strikes.shunnedUntil,
    deliver(value) {
      const delivered = mail.deliver(value, url)
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
  const keyLanes = createKeyLanes({ share, plan, mainPubkey, sign: parts.sign })

  const oneTimeKeys = createOneTimeKeys({
    url,
    log,
    mainPubkey,
    isMainWatched: () => plan.has(mainPubkey),
    onPerConnection() {
      for (const lane of lanes.splice(1)) lane.close()
      lanes[0]?.reset()
      keyLanes.refresh()
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

  async function authenticated(session: Session): Promise<void> {
    if (oneTimeKeys.state() !== 'unknown' || isProbing) return
    isProbing = true
    const cameBack = await probe(session, parts)
    isProbing = false
    if (cameBack !== undefined && lanes[0]?.session() === session) oneTimeKeys.probed(cameBack)
  }

  function down(reason: string): void {
    lastError = reason
    outages.down(reason)
    changed()
  }

  function addLane(index: number): void {
    const isFirst = index === 0
    const lane = createLane({
      share,
      sign: sign(mainPubkey),
      groups: () => groupsOf(index),
      onUp: isFirst ? up : changed,
      onDown: isFirst ? down : changed,
      onChallenge: () => {
        challenges = true
        oneTimeKeys.challenged()
      },
      onAuthenticated: (session) => void authenticated(session),
      onMail: oneTimeKeys.arrived,
      onServed(group) {
        oneTimeKeys.served(group)
        changed()
      },
      onRestricted: oneTimeKeys.restricted,
    })
    lanes.push(lane)
    lane.start()
  }

  function flush(): void {
    if (!started) return
    const wanted = isPerConnection() ? 1 : plan.lanes()
    while (lanes.length < wanted) addLane(lanes.length)
    for (const lane of lanes) lane.flush()
  }

  function state(): RelayHealth['state'] {
    const own = lanes[0]?.state() ?? 'waiting'
    return own === 'waiting' && strikes.shunnedUntil() > clock.monotonic() ? 'shunned' : own
  }

  return {
    start() {
      started = true
      flush()
    },
    flush,
    fetch(pubkeys) {
      for (const lane of lanes) lane.fetch(pubkeys)
      keyLanes.fetch(pubkeys)
    },
    async session(ms) {
      const now = lanes[0]?.session()
      if (now || state() === 'shunned') return now
      await arrivals.until(() => !started || lanes[0]?.session() !== undefined, ms)
      return lanes[0]?.session()
    },
    knows: (revision) => lanes.every((lane) => !lane.session() || lane.revision() >= revision),
    blame,
    tick() {
      outages.tick()
      flush()
      for (const lane of lanes) lane.tick()
      if (isPerConnection()) keyLanes.refresh()
      keyLanes.tick()
    },
    health: () => ({
      url,
      state: state(),
      subscribed: lanes.length > 0 && lanes.every((lane) => lane.subscribed()),
      since: lanes[0]?.since() ?? clock.now(),
      lastError,
      roundTripMs: lanes[0]?.session()?.roundTripMs() ?? null,
      received,
      blamed: strikes.total(),
      challenges,
      oneTimeKeys: oneTimeKeys.state(),
    }),
    close() {
      started = false
      for (const lane of lanes) lane.close()
      keyLanes.close()
      arrivals.wake()
    },
  }
}
