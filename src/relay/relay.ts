// The relay without its sockets: who is connected, what they publish and read, and how it ends.

import { collectGarbage } from '../lib/collect-garbage.js'
import type { EventText } from '../nostr/event/index.js'
import { hostOf } from './auth/auth-event.js'
import type { Connection, Listener } from './connection/connection.js'
import { createLargeLine } from './connection/large-message-queue.js'
import { Session } from './connection/session.js'
import { createTally, messagesOf, type Tally } from './counters.js'
import type { ConnectedSession, Engine } from './engine.js'
import { type Ingested, ingest } from './ingest/ingest-batch.js'
import { createIntake } from './ingest/intake.js'
import type { Taken } from './ingest/pending-event.js'
import { createLanes } from './ingest/verify-queue.js'
import { createTurn } from './ingest/write-batch.js'
import { createOutage } from './ingest/write-outage.js'
import { createTidying } from './memory/gc-after-burst.js'
import { createHeapGuard, type HeapGauge, type HeapGuard, NO_HEAP_GUARD } from './memory/heap-guard.js'
import { type Ceiling, createCeiling } from './memory/memory-limit.js'
import { createRoom } from './negentropy/index.js'
import { createPress } from './output/index.js'
import type { Clock, EventStore, Log, Random, Source, Verifier, WritePolicy } from './ports.js'
import { createQueries } from './queries/index.js'
import type { RelaySettings } from './settings.js'
import { createLiveIndex } from './subscriptions/live-index.js'
import type { Subscription } from './subscriptions/subscription.js'

export interface RelayParts {
  readonly settings: RelaySettings
  readonly store: EventStore
  readonly verifier: Verifier
  readonly policy: WritePolicy
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** Without it nothing is known of the memory that is left. */
  readonly heap?: HeapGauge | undefined
}

export interface RelayFigures extends Readonly<Tally> {
  readonly connections: number
  readonly subscriptions: number
  /** Signatures that wait for their turn, and those with the verifier. */
  readonly verifying: { readonly waiting: number; readonly underWay: number }
  /** Events taken in that are not answered yet. */
  readonly held: number
}

export interface Relay {
  /** A client's connection stands; its messages go to what is returned. */
  connect(connection: Connection): Listener
  /** Events that no client brings, as parsed JSON, unchecked. Answers in their order. */
  ingest(values: readonly unknown[], source: Source): Promise<readonly Ingested[]>
  figures(): RelayFigures
  /** False: events could not be stored of late. */
  canStore(): boolean
  /** To be called once a second. */
  everySecond(): void
  /** Finishes what was taken in, tells all subscriptions, and takes nothing any more. Idempotent; the connections stay open. */
  stop(): Promise<void>
}

/** What was taken in and is not answered by then is left: the runtime gives a part 10 s. */
const STOP_MS = 7000
/** Of the largest sets that may be reconciled, so many fit in memory. */
const SETS_AT_ONCE = 2

export function createRelay(parts: RelayParts): Relay {
  const sessions = new Set<ConnectedSession>()
  const idle = new AbortController()
  let isStopping = false
  const ceiling = createCeiling(parts.settings.limits.maxClientBytes, sessions)
  const heap = parts.heap ? createHeapGuard({ heap: parts.heap, clients: sessions, log: parts.log }) : NO_HEAP_GUARD
  const engine = createEngine(parts, {
    ceiling,
    heap,
    left: (session) => sessions.delete(session),
    idle: () => isStopping && idle.abort(),
  })
  const tidy = createTidying(collectGarbage)
  let stopped: Promise<void> | undefined

  async function stop(): Promise<void> {
    isStopping = true
    for (const session of sessions) session.stopTaking()
    if (engine.intake.held() > 0) await parts.clock.sleep(STOP_MS, idle.signal)
    for (const session of sessions) session.sayGoodbye()
  }

  return {
    connect(connection) {
      const session = new Session(engine, connection)
      sessions.add(session)
      engine.tally.connected++
      if (isStopping) session.stopTaking()
      return session
    },
    ingest: (values, source) => ingest(engine.intake, values, source),
    everySecond() {
      engine.live.tick(Math.floor(parts.clock.now() / 1000))
      ceiling.look()
      heap.look()
      tidy({ connected: engine.tally.connected, messages: messagesOf(engine.tally) })
    },
    canStore: () => !engine.outage.isOn(),
    figures: () => ({
      ...engine.tally,
      connections: sessions.size,
      subscriptions: engine.live.sizes().subscriptions,
      verifying: engine.lanes.figures(),
      held: engine.intake.held(),
    }),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

interface EngineEvents {
  readonly ceiling: Ceiling
  readonly heap: HeapGuard
  left(session: ConnectedSession): void
  idle(): void
}

function createEngine(parts: RelayParts, { ceiling, heap, left, idle }: EngineEvents): Engine {
  const { settings, store, verifier, policy, clock, random, log } = parts
  const tally = createTally()
  const live = createLiveIndex<Subscription>(settings.limits.rejectFutureSeconds)
  live.tick(Math.floor(clock.now() / 1000))
  const press = createPress()
  const busy = createTurnEnds()

  let passing: EventText | undefined
  const hit = (subscription: Subscription): void => {
    if (!passing) return
    tally.passedOn++
    subscription.offer(passing)
  }
  function passOn(text: EventText): void {
    passing = text
    live.match(text.event, hit)
    passing = undefined
  }

  const outage = createOutage({ clock, log })
  const turn = createTurn({
    store,
    durability: settings.durability,
    settled: (taken, outcome) => intake.settled(taken, outcome),
    passOn,
    later: setImmediate,
    outage,
  })
  const lanes = createLanes({ verifier, verified })
  const intake = createIntake({ settings, store, policy, lanes, turn, clock, idle })

  function verified(taken: Taken, genuine: boolean): void {
    if (taken.purpose === 'auth') taken.origin.proven(taken, genuine)
    else intake.verified(taken, genuine)
  }

  const hosts = new Set(settings.info.relayUrls.flatMap((url) => hostOf(url) ?? []))
  const queries = createQueries({ clock })
  const large = createLargeLine({ clock, nextTurn: setImmediate })
  const room = createRoom({ most: SETS_AT_ONCE * settings.negentropy.maxSyncEvents, clock })
  return {
    settings,
    store,
    live,
    queries,
    ceiling,
    heap,
    large,
    room,
    press,
    intake,
    lanes,
    outage,
    clock,
    random,
    log,
    tally,
    hosts,
    busy,
    left,
  }
}

/** Tells everybody when the turn of the event loop is over in which they were busy. */
function createTurnEnds(): Engine['busy'] {
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
