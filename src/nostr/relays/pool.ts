// The till's relays as one pool: watches keys on all relays, delivers each gift wrap once, and publishes to the relays that are named.

import { messageOf } from '../../lib/errors.js'
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { type NostrEvent, newestFirst } from '../event/index.js'
import { authEvent } from './auth.js'
import type { RelayClient } from './client.js'
import type { RequestFilter } from './filters.js'
import { createForeignRelays } from './foreign.js'
import { createPoolRelay, type PoolRelay, type RelayHealth } from './pool-relay.js'
import type { OpenSocket, PoolLog } from './ports.js'
import { normalRelayUrl, refusalForForeign } from './url.js'
import { createThrottle, createWaiters } from './waiters.js'
import { createWatchPlan } from './watch-plan.js'
import { createWrapIntake } from './wrap-intake.js'

const FLUSH_MS = 200
const SWEEP_MS = 10_000
const TICK_MS = 1000
const REFETCH_MS = 2000
/** Maximum wait for a disconnected relay of the pool before a publish or query fails. */
const CONNECTING_MS = 6000

export interface RelayPoolParts {
  /** The configured relays, in order. Invalid addresses are logged and skipped. */
  readonly urls: readonly string[]
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: RandomBytes
  readonly mainPubkey: string
  /** The secret of the main key and of one-time keys, for NIP-42. */
  readonly secretOf: (pubkey: string) => Secret<Uint8Array> | undefined
  /**
   * A gift wrap with a valid id and exactly one p tag, which names a watched key; its signature is unchecked. False: the inbox has
   * no room, and the relay is paused for a moment.
   */
  readonly onWrap: (wrap: NostrEvent, relay: string) => boolean
  readonly log: PoolLog
}

/** The response of one relay to an event. */
interface Posting {
  /** The address as the caller gave it. */
  readonly url: string
  readonly accepted: boolean
  readonly message: string
}

export interface RelayPool {
  /** Starts to connect; returns at once. */
  start(): void
  /** `known`: also fetches stored gift wraps, because senders may already know the keys. */
  watch(pubkeys: readonly string[], options?: { readonly known?: boolean }): void
  unwatch(pubkeys: readonly string[]): void
  isWatched(pubkey: string): boolean
  /** Resolves when a sent REQ of every connected relay contains every watched key, or after `ms`. */
  settled(ms: number): Promise<void>
  /** One response per address, in order. Dials relays outside the pool if they have public `wss://` addresses. */
  publish(event: NostrEvent, urls: readonly string[], timeoutMs: number): Promise<readonly Posting[]>
  /** Genuine matching events, newest first, without duplicates; resolves after EOSE of every reachable relay. */
  query(filter: RequestFilter, urls: readonly string[], timeoutMs: number): Promise<readonly NostrEvent[]>
  /** Reports a forged event. A relay with too many faults is shunned for a while. */
  blame(relay: string, why: string): void
  /** Fetches the gift wraps of these keys again after some seconds, because the inbox dropped some. */
  refetch(pubkeys: readonly string[]): void
  /** In the configured order. */
  health(): readonly RelayHealth[]
  close(): Promise<void>
}

export function createRelayPool(parts: RelayPoolParts): RelayPool {
  const { clock, random, mainPubkey, log } = parts
  const life = new AbortController()
  const { signal } = life
  const plan = createWatchPlan(mainPubkey)
  const wraps = createWrapIntake({ clock, isWatched: plan.has, isRetired: plan.isRetired, onWrap: parts.onWrap })
  const onDefect = (thrown: unknown) => log.error({ err: thrown }, 'something about a relay could not be handled')
  const foreign = createForeignRelays({ ...parts, onDefect })
  const relays = new Map<string, PoolRelay>()
  const settling = createWaiters(clock)
  const toFetch = new Set<string>()
  const toRefetch = new Set<string>()

  function sign(challenge: string, relay: string, pubkey: string): NostrEvent | undefined {
    const secret = parts.secretOf(pubkey)
    return secret && authEvent({ relay, challenge, secret, now: clock.now(), random })
  }

  for (const url of parts.urls) {
    const normal = normalRelayUrl(url)
    if (normal === undefined) log.error({ relay: url.slice(0, 100) }, 'not a relay address; left out')
    else if (!relays.has(normal))
      relays.set(normal, createPoolRelay({ ...parts, url: normal, plan, wraps, sign, changed: settling.wake }))
  }

  function fetchAll(pubkeys: Set<string>): void {
    if (pubkeys.size === 0) return
    for (const relay of relays.values()) relay.fetch(pubkeys)
    pubkeys.clear()
  }

  const flusher = createThrottle({
    clock,
    signal,
    pauseMs: FLUSH_MS,
    run() {
      for (const relay of relays.values()) relay.flush()
      // After the flush: gift wraps that arrive during the fetch need an open subscription.
      fetchAll(toFetch)
      settling.wake()
    },
  })
  const refetcher = createThrottle({
    clock,
    signal,
    pauseMs: REFETCH_MS,
    always: true,
    run() {
      wraps.forget(toRefetch)
      fetchAll(toRefetch)
    },
  })

  /** A bug with one relay must not stop the maintenance of the others. */
  function guarded(act: () => void): void {
    try {
      act()
    } catch (thrown) {
      onDefect(thrown)
    }
  }

  async function runMaintenance(): Promise<void> {
    for (let sweptAt = clock.monotonic(); ; ) {
      await clock.sleep(TICK_MS, signal)
      if (signal.aborted) return
      if (clock.monotonic() - sweptAt >= SWEEP_MS) {
        sweptAt = clock.monotonic()
        if (plan.sweep()) flusher.trigger()
      }
      for (const part of [...relays.values(), foreign]) guarded(part.tick)
      settling.wake()
    }
  }

  const areSettled = (revision: number) => [...relays.values()].every((relay) => relay.knows(revision))

  /** Runs `act` with a client of a relay; `otherwise` gets the reason if there is no connection. */
  async function withRelay<T>(
    url: string,
    timeoutMs: number,
    act: (client: RelayClient, leftMs: number) => Promise<T>,
    otherwise: (reason: string) => T,
  ): Promise<T> {
    const until = clock.monotonic() + timeoutMs
    const actInTime = (client: RelayClient) => act(client, Math.max(0, until - clock.monotonic()))
    const normal = normalRelayUrl(url)
    const own = normal === undefined ? undefined : relays.get(normal)
    if (own) {
      const client = await own.client(Math.min(timeoutMs, CONNECTING_MS))
      return client ? actInTime(client) : otherwise(`not connected: ${own.health().lastError ?? 'no answer yet'}`)
    }
    const refusal = refusalForForeign(normal)
    if (normal === undefined || refusal !== undefined) return otherwise(refusal ?? '')
    return foreign.use(normal, timeoutMs, actInTime).catch((thrown: unknown) => otherwise(messageOf(thrown)))
  }

  return {
    start() {
      for (const relay of relays.values()) relay.start()
      void runMaintenance()
    },
    watch(pubkeys, { known = false } = {}) {
      const fresh = plan.add(pubkeys)
      if (fresh.length === 0) return
      if (known) for (const pubkey of fresh) toFetch.add(pubkey)
      flusher.trigger()
    },
    unwatch(pubkeys) {
      plan.remove(pubkeys)
    },
    isWatched: plan.has,
    async settled(ms) {
      const revision = plan.revision()
      await settling.until(() => signal.aborted || areSettled(revision), ms)
    },
    publish: (event, urls, timeoutMs) =>
      Promise.all(
        onceEach(urls, (url) =>
          withRelay(
            url,
            timeoutMs,
            (client, leftMs) => client.publish(event, leftMs),
            (message) => ({ accepted: false, message }),
          ),
        ).map(async ([url, answer]) => {
          const { accepted, message } = await answer
          return { url, accepted, message }
        }),
      ),
    async query(filter, urls, timeoutMs) {
      const asked = onceEach(urls, (url) =>
        withRelay(
          url,
          timeoutMs,
          (client, leftMs) => client.ask(filter, leftMs),
          () => [],
        ),
      )
      const found = await Promise.all(asked.map(([, events]) => events))
      return eachOnce(found.flat()).sort(newestFirst)
    },
    blame(relay, why) {
      relays.get(normalRelayUrl(relay) ?? '')?.blame('forgery', why)
    },
    refetch(pubkeys) {
      const again = pubkeys.filter(plan.has)
      for (const pubkey of again) toRefetch.add(pubkey)
      if (again.length > 0) refetcher.trigger()
    },
    health: () => [...relays.values()].map((relay) => relay.health()),
    async close() {
      life.abort()
      for (const relay of relays.values()) relay.close()
      foreign.close()
      settling.wake()
    },
  }
}

/** Addresses of the same relay share one attempt; each gets its result. */
function onceEach<T>(urls: readonly string[], act: (url: string) => Promise<T>): (readonly [string, Promise<T>])[] {
  const attempts = new Map<string, Promise<T>>()
  return urls.map((url) => {
    const normal = normalRelayUrl(url) ?? url
    const attempt = attempts.get(normal) ?? act(url)
    attempts.set(normal, attempt)
    return [url, attempt]
  })
}

const eachOnce = (events: readonly NostrEvent[]): NostrEvent[] => [
  ...new Map(events.map((event) => [event.id, event])).values(),
]
