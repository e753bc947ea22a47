// The relay without its sockets: sessions, their shared engine, metrics and shutdown.
import { collectGarbage } from '../lib/heap.js'
import type { Clock, DebugLog } from '../lib/ports.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { EventText } from '../nostr/event/index.js'
import { hostAndPortOf } from './auth/auth-event.js'
import type { ClientConnection, ConnectionListener } from './connection/connection.js'
import { createLargeMessageQueue } from './connection/large-message-queue.js'
import { ClientSession } from './connection/session.js'
import { type Counters, createCounters, messagesOf } from './counters.js'
import type { ConnectedSession, Engine } from './engine.js'
import { createEmbeddedLog, type RelayLog } from './event-log/index.js'
import { type Ingested, ingest } from './ingest/ingest-batch.js'
import { createEventIntake } from './ingest/intake.js'
import type { PendingEvent } from './ingest/pending-event.js'
import { createVerifyQueue } from './ingest/verify-queue.js'
import { createWriteBatch } from './ingest/write-batch.js'
import { createWriteOutage } from './ingest/write-outage.js'
import {
  createGcAfterBurst,
  createHeapGuard,
  type HeapGauge,
  type HeapGuard,
  NO_HEAP_GUARD,
} from './memory/heap-guard.js'
import { createMemoryLimit, type MemoryLimit } from './memory/memory-limit.js'
import { createReconciliationBudget } from './negentropy/index.js'
import { createFrameWriter } from './output/index.js'
import type { EventSource, EventStore, Verifier, WritePolicy } from './ports.js'
import { createQueryScheduler } from './queries/index.js'
import type { RelaySettings } from './settings.js'
import { createLiveIndex } from './subscriptions/live-index.js'
import type { Subscription } from './subscriptions/subscription.js'

export interface RelayParts {
  readonly settings: RelaySettings
  readonly store: EventStore
  /** Absent: a log of its own, which answers within the call. */
  readonly eventLog?: RelayLog<PendingEvent> | undefined
  readonly verifier: Verifier
  readonly policy: WritePolicy
  readonly clock: Clock
  readonly random: RandomBytes
  readonly log: DebugLog
  /** Absent: the relay does not watch the heap. */
  readonly heap?: HeapGauge | undefined
  /** False: the disk is full, and only deletions are stored. Absent: the relay does not watch the disk. */
  readonly hasRoom?: (() => boolean) | undefined
}

export interface RelayMetrics extends Readonly<Counters> {
  readonly connections: number
  readonly subscriptions: number
  /** Signatures that wait, and those with the verifier. */
  readonly verifying: { readonly waiting: number; readonly underWay: number }
  /** Accepted events without an answer yet. */
  readonly held: number
}

export interface Relay {
  /** Starts the session of a client. Its messages go to the returned listener. */
  connect(connection: ClientConnection): ConnectionListener
  /** Ingests events without a client, as parsed JSON, unchecked. Answers in their order. */
  ingest(values: readonly unknown[], source: EventSource): Promise<readonly Ingested[]>
  metrics(): RelayMetrics
  /** False while the store fails to write events. */
  canStore(): boolean
  /** Called once a second. */
  everySecond(): void
  /** Answers the accepted events, ends all subscriptions and refuses new messages. Idempotent; connections stay open. */
  stop(): Promise<void>
}

/** Time limit for pending answers: the runtime gives a part 10 s to stop. */
const STOP_MS = 7000
/** So many sets of the largest size fit into memory. */
const SETS_AT_ONCE = 2

export function createRelay(parts: RelayParts): Relay {
  const sessions = new Set<ConnectedSession>()
  const idle = new AbortController()
  let isStopping = false
  const memoryLimit = createMemoryLimit(parts.settings.limits.maxClientBytes, sessions)
  const heap = parts.heap ? createHeapGuard({ heap: parts.heap, clients: sessions, log: parts.log }) : NO_HEAP_GUARD
  const engine = createEngine(parts, {
    memoryLimit,
    heap,
    left: (session) => sessions.delete(session),
    idle: () => isStopping && idle.abort(),
  })
  const tidy = createGcAfterBurst(collectGarbage)
  let stopped: Promise<void> | undefined

  async function stop(): Promise<void> {
    isStopping = true
    for (const session of sessions) session.stopTaking()
    if (engine.intake.held() > 0) await parts.clock.sleep(STOP_MS, idle.signal)
    for (const session of sessions) session.sayGoodbye()
  }

  return {
    connect(connection) {
      const session = new ClientSession(engine, connection)
      sessions.add(session)
      engine.counters.connected++
      if (isStopping) session.stopTaking()
      return session
    },
    ingest: (values, source) => ingest(engine.intake, values, source),
    everySecond() {
      engine.live.tick(Math.floor(parts.clock.now() / 1000))
      memoryLimit.check()
      heap.check()
      tidy({ connected: engine.counters.connected, messages: messagesOf(engine.counters) })
    },
    canStore: () => !engine.writeOutage.isOn(),
    metrics: () => ({
      ...engine.counters,
      connections: sessions.size,
      subscriptions: engine.live.sizes().subscriptions,
      verifying: engine.verifyQueue.depth(),
      held: engine.intake.held(),
    }),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

interface EngineEvents {
  readonly memoryLimit: MemoryLimit
  readonly heap: HeapGuard
  left(session: ConnectedSession): void
  idle(): void
}

function createEngine(parts: RelayParts, { memoryLimit, heap, left, idle }: EngineEvents): Engine {
  const { settings, store, verifier, policy, clock, random, log, hasRoom = () => true } = parts
  const counters = createCounters()
  const live = createLiveIndex<Subscription>(settings.limits.rejectFutureSeconds)
  live.tick(Math.floor(clock.now() / 1000))
  const frameWriter = createFrameWriter()
  const busy = createAfterTurn()

  let delivering: EventText | undefined
  const onMatch = (subscription: Subscription): void => {
    if (!delivering) return
    counters.liveDeliveries++
    subscription.offer(delivering)
  }
  function deliver(text: EventText): void {
    delivering = text
    live.match(text.event, onMatch)
    delivering = undefined
  }

  const writeOutage = createWriteOutage({ clock, log })
  const eventLog = parts.eventLog ?? ownLog(clock)
  const writeBatch = createWriteBatch({
    log: eventLog,
    store,
    durability: settings.durability,
    onOutcome: (pending, outcome) => intake.written(pending, outcome),
    deliver,
    defer: setImmediate,
    writeOutage,
  })
  eventLog.follow(writeBatch)
  const verifyQueue = createVerifyQueue({ verifier, verified })
  const intake = createEventIntake({ settings, store, policy, verifyQueue, writeBatch, clock, hasRoom, idle })

  function verified(pending: PendingEvent, genuine: boolean): void {
    if (pending.purpose === 'auth') pending.origin.proven(pending, genuine)
    else intake.verified(pending, genuine)
  }

  const hosts = new Set(settings.info.relayUrls.flatMap((url) => hostAndPortOf(url) ?? []))
  const queries = createQueryScheduler({ clock })
  const largeMessages = createLargeMessageQueue({ clock, nextTurn: setImmediate })
  const reconciliationBudget = createReconciliationBudget({
    maxEntries: SETS_AT_ONCE * settings.negentropy.maxSyncEvents,
    clock,
  })
  return {
    settings,
    store,
    live,
    queries,
    memoryLimit,
    heap,
    largeMessages,
    reconciliationBudget,
    frameWriter,
    intake,
    verifyQueue,
    writeOutage,
    clock,
    random,
    log,
    counters,
    hosts,
    busy,
    left,
  }
}

/** Calls `turnEnded` of each registered object at the end of the turn of the event loop. */
function createAfterTurn(): Engine['busy'] {
  let busy: Parameters<Engine['busy']>[0][] = []

  function end(): void {
    const ended = busy
    busy = []
    for (const one of ended) one.turnEnded()
  }

  return (one) => {
    if (busy.push(one) === 1) setImmediate(end)
  }
}

/** Changes other than events do not pass through it. */
function ownLog(clock: Clock): RelayLog<PendingEvent> {
  const { append, follow } = createEmbeddedLog<PendingEvent>(clock)
  return { append, follow: (follower) => follow(0, { ...follower, applyChange: async () => {} }) }
}
