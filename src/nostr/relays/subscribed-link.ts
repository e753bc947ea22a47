// A reconnecting link to a relay of the pool, with its subscriptions and back-fill.
import type { Clock } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { NostrEvent } from '../event/index.js'
import { type Backfill, createBackfill } from './backfill.js'
import { openRelayClient, type RelayClient } from './client.js'
import { createLink, type RelayLink, type RelayLinkState } from './link.js'
import { createLive, type Live } from './live.js'
import type { OpenSocket } from './ports.js'
import type { Fault } from './strikes.js'
import type { Group } from './watch-plan.js'
import type { WrapOutcome } from './wrap-intake.js'

const CONNECT_MS = 10_000

/** Shared by all links to one relay. */
export interface RelayShare {
  readonly url: string
  readonly openSocket: OpenSocket
  readonly clock: Clock
  readonly random: RandomBytes
  readonly shunnedUntil: () => number
  readonly deliver: (value: unknown) => WrapOutcome
  readonly isWatched: (pubkey: string) => boolean
  readonly revision: () => number
  readonly fault: (fault: Fault) => void
  readonly noted: (text: string) => void
  readonly onDefect: (thrown: unknown) => void
}

export interface SubscribedLinkParts {
  readonly share: RelayShare
  /** Answers a challenge of this relay. */
  readonly sign: (challenge: string) => NostrEvent | undefined
  readonly groups: () => readonly Group[]
  readonly onUp: () => void
  readonly onDown: (reason: string) => void
  readonly onChallenge: () => void
  readonly onAuthenticated: (client: RelayClient) => void
  /** A gift wrap to this key arrived. */
  readonly onDelivery: (to: string) => void
  readonly onServed: (group: Group) => void
  readonly onRestricted: (group: Group) => void
}

export interface SubscribedLink {
  readonly start: () => void
  client(): RelayClient | undefined
  state(): RelayLinkState
  since(): number
  flush(): void
  /** Sends all subscriptions again. */
  reset(): void
  fetch(pubkeys: Iterable<string>): void
  tick(): void
  /** See Live.revision; -1 while there is no connection. */
  revision(): number
  subscribed(): boolean
  drop(reason: string): void
  close(): void
}

export function createSubscribedLink(parts: SubscribedLinkParts): SubscribedLink {
  const { share, groups } = parts
  let isKnown = false
  let work: { readonly live: Live; readonly fill: Backfill } | undefined

  const holds = (pubkey: string) => groups().some(({ keys }) => keys.has(pubkey))
  const allKeys = () => groups().flatMap(({ keys }) => [...keys])

  function deliver(value: unknown): WrapOutcome {
    const delivered = share.deliver(value)
    if (typeof delivered === 'object') parts.onDelivery(delivered.to)
    return delivered
  }

  function onEvent(value: unknown): boolean {
    const delivered = deliver(value)
    if (delivered === 'no-room') return false
    if (typeof delivered === 'string' && delivered !== 'dropped') share.fault(delivered)
    return true
  }

  const liveOf = (client: RelayClient): Live =>
    createLive({
      client,
      clock: share.clock,
      groups,
      revision: share.revision,
      onEvent,
      onServed: parts.onServed,
      onRestricted: (group, text) => {
        share.noted(text)
        parts.onRestricted(group)
      },
      onRefused: share.noted,
    })

  function up(client: RelayClient): void {
    const { clock, isWatched, fault, noted } = share
    work = {
      live: liveOf(client),
      fill: createBackfill({ client, clock, deliver, isWatched, fault, gaveUp: noted }),
    }
    isKnown = false
    parts.onUp()
    work.live.flush()
    work.fill.add(allKeys())
  }

  /** Requests everything again, because the relay may have hidden events before. Further challenges on the same connection change nothing. */
  function authenticated(): void {
    work?.live.reset()
    if (isKnown) return
    isKnown = true
    work?.fill.add(allKeys())
    const client = link.client()
    if (client) parts.onAuthenticated(client)
  }

  const link: RelayLink = createLink({
    clock: share.clock,
    random: share.random,
    notBefore: share.shunnedUntil,
    open: (signal, onClosed) =>
      openRelayClient({
        ...share,
        timeoutMs: CONNECT_MS,
        signal,
        sign: parts.sign,
        eager: true,
        onAuth: (state) => {
          if (state === 'challenged') parts.onChallenge()
          else if (state === 'done') authenticated()
          else share.noted('the relay did not accept our authentication')
        },
        onNotice: share.noted,
        onClosed,
        onFault: share.fault,
      }),
    onUp: up,
    onDown: (reason) => {
      work = undefined
      parts.onDown(reason)
    },
  })

  return {
    start: link.start,
    client: link.client,
    state: link.state,
    since: link.since,
    flush: () => work?.live.flush(),
    reset: () => work?.live.reset(),
    fetch(pubkeys) {
      work?.fill.add([...pubkeys].filter(holds))
    },
    tick() {
      link.client()?.tick()
      work?.live.flush()
      work?.fill.tick()
    },
    revision: () => work?.live.revision() ?? -1,
    subscribed: () => work?.live.subscribed() ?? false,
    drop: link.drop,
    close: link.close,
  }
}
