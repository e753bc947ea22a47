// For relays that send gift wraps only to an authenticated addressee: a connection per one-time key, oldest keys first, at most 40.
import type { NostrEvent } from '../event/index.js'
import { createSubscribedLink, type RelayShare, type SubscribedLink } from './subscribed-link.js'
import type { Group, WatchPlan } from './watch-plan.js'

const LINKS_MOST = 40
/** New connections per refresh: forty at once look like an attack. */
const STEP = 5

export interface KeyLinksParts {
  readonly share: RelayShare
  readonly plan: WatchPlan
  readonly mainPubkey: string
  readonly sign: (challenge: string, relay: string, pubkey: string) => NostrEvent | undefined
}

export interface KeyLinks {
  /** Opens and closes connections to match the watched keys, a few at a time. */
  refresh(): void
  fetch(pubkeys: Iterable<string>): void
  tick(): void
  drop(reason: string): void
  close(): void
}

export function createKeyLinks({ share, plan, mainPubkey, sign }: KeyLinksParts): KeyLinks {
  const links = new Map<string, SubscribedLink>()

  function oldest(): Set<string> {
    const keys = new Set<string>()
    for (const key of plan.all()) {
      if (keys.size >= LINKS_MOST) break
      if (key !== mainPubkey) keys.add(key)
    }
    return keys
  }

  function open(pubkey: string): SubscribedLink {
    const groups: readonly Group[] = [{ sub: 'till-0', keys: new Set([pubkey]), version: 0 }]
    const nothing = () => undefined
    return createSubscribedLink({
      share,
      sign: (challenge) => sign(challenge, share.url, pubkey),
      groups: () => groups,
      onUp: nothing,
      onDown: nothing,
      onChallenge: nothing,
      onAuthenticated: nothing,
      onDelivery: nothing,
      onServed: nothing,
      onRestricted: nothing,
    })
  }

  function refresh(): void {
    const wanted = oldest()
    for (const [key, link] of links) {
      if (wanted.has(key)) continue
      link.close()
      links.delete(key)
    }
    for (const key of [...wanted].filter((key) => !links.has(key)).slice(0, STEP)) {
      const link = open(key)
      links.set(key, link)
      link.start()
    }
  }

  return {
    refresh,
    fetch(pubkeys) {
      for (const pubkey of pubkeys) links.get(pubkey)?.fetch([pubkey])
    },
    tick() {
      for (const link of links.values()) link.tick()
    },
    drop(reason) {
      for (const link of links.values()) link.drop(reason)
    },
    close() {
      for (const link of links.values()) link.close()
      links.clear()
    },
  }
}
