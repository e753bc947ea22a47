// For relays that give mail only to its addressee: a connection per one-time key, oldest keys first, a bounded number.
import type { NostrEvent } from '../event/index.js'
import { createLane, type Lane, type RelayShare } from './lane.js'
import type { Group, WatchPlan } from './watch-plan.js'

const LANES_MOST = 40
/** New connections per refresh: forty at once look like an attack. */
const STEP = 5

export interface KeyLanesParts {
  readonly share: RelayShare
  readonly plan: WatchPlan
  readonly mainPubkey: string
  readonly sign: (challenge: string, relay: string, pubkey: string) => NostrEvent | undefined
}

export interface KeyLanes {
  /** Opens and closes connections as the watched keys have it; some at a time. */
  refresh(): void
  fetch(pubkeys: Iterable<string>): void
  tick(): void
  drop(reason: string): void
  close(): void
}

export function createKeyLanes({ share, plan, mainPubkey, sign }: KeyLanesParts): KeyLanes {
  const lanes = new Map<string, Lane>()

  function oldest(): Set<string> {
    const keys = new Set<string>()
    for (const key of plan.all()) {
      if (keys.size >= LANES_MOST) break
      if (key !== mainPubkey) keys.add(key)
    }
    return keys
  }

  function open(pubkey: string): Lane {
    const groups: readonly Group[] = [{ sub: 'till-0', keys: new Set([pubkey]), version: 0 }]
    const nothing = () => undefined
    return createLane({
      share,
      sign: (challenge) => sign(challenge, share.url, pubkey),
      groups: () => groups,
      onUp: nothing,
      onDown: nothing,
      onChallenge: nothing,
      onAuthenticated: nothing,
      onMail: nothing,
      onServed: nothing,
      onRestricted: nothing,
    })
  }

  function refresh(): void {
    const wanted = oldest()
    for (const [key, lane] of lanes) {
      if (wanted.has(key)) continue
      lane.close()
      lanes.delete(key)
    }
    for (const key of [...wanted].filter((key) => !lanes.has(key)).slice(0, STEP)) {
      const lane = open(key)
      lanes.set(key, lane)
      lane.start()
    }
  }

  return {
    refresh,
    fetch(pubkeys) {
      for (const pubkey of pubkeys) lanes.get(pubkey)?.fetch([pubkey])
    },
    tick() {
      for (const lane of lanes.values()) lane.tick()
    },
    drop(reason) {
      for (const lane of lanes.values()) lane.drop(reason)
    },
    close() {
      for (const lane of lanes.values()) lane.close()
      lanes.clear()
    },
  }
}
