// Assigns keys to subscriptions; all relays share the plan. Pure. A new key goes into the small `young` group, so that its REQ is short.
// A full `young` group moves into the large groups, whose REQs are sent rarely.

const KEYS_PER_GROUP = 1500
const YOUNG_MOST = 100
const GROUPS_PER_LINK = 8
const RETIRED_MOST = 20_000

/** One subscription: a stable id, and a version that grows whenever its REQ must be sent again. */
export interface Group {
  readonly sub: string
  readonly keys: ReadonlySet<string>
  readonly version: number
}

interface LargeGroup extends Group {
  readonly keys: Set<string>
  version: number
  /** Number of keys removed since the last REQ. */
  stale: number
}

export interface WatchPlan {
  /** Adds keys and returns the new ones. */
  add(pubkeys: readonly string[]): readonly string[]
  remove(pubkeys: readonly string[]): readonly string[]
  has(pubkey: string): boolean
  /** Whether a key was removed recently, so that gift wraps to it are no fault. */
  isRetired(pubkey: string): boolean
  /** Grows with every key that is added. */
  revision(): number
  /** All keys, oldest first. */
  all(): Iterable<string>
  /** Number of links needed per relay, for 12 000 keys each. */
  links(): number
  /** In the order of sending: the group that gains a key comes before the group that loses it. */
  groups(link: number): readonly Group[]
  /** Marks the group that lost most keys for a new REQ. False if none lost keys. */
  sweep(): boolean
  size(): number
}

/** `mainPubkey` has its own subscription, because some relays refuse only those of one-time keys. */
export function createWatchPlan(mainPubkey: string): WatchPlan {
  const main = group('till-0')
  const young = group('till-1')
  const large: LargeGroup[] = []
  const where = new Map<string, LargeGroup>()
  const retired = new Set<string>()
  let revision = 0

  function put(pubkey: string, into: LargeGroup): void {
    into.keys.add(pubkey)
    into.version++
    into.stale = 0
    where.set(pubkey, into)
  }

  function groupWithRoom(): LargeGroup {
    const last = large.findLast(({ keys }) => keys.size < KEYS_PER_GROUP)
    if (last) return last
    const next = group(`till-${large.length + 2}`)
    large.push(next)
    return next
  }

  function addToLarge(pubkeys: Iterable<string>): void {
    let into = groupWithRoom()
    for (const pubkey of pubkeys) {
      if (into.keys.size >= KEYS_PER_GROUP) into = groupWithRoom()
      put(pubkey, into)
    }
  }

  function emptyYoungGroup(more: readonly string[]): void {
    addToLarge(young.keys)
    young.keys.clear()
    young.version++
    addToLarge(more)
  }

  function leave(pubkey: string): boolean {
    const from = where.get(pubkey)
    if (!from) return false
    where.delete(pubkey)
    from.keys.delete(pubkey)
    from.stale++
    retired.add(pubkey)
    return true
  }

  return {
    add(pubkeys) {
      const fresh = [...new Set(pubkeys)].filter((pubkey) => !where.has(pubkey))
      const ordinary = fresh.filter((pubkey) => pubkey !== mainPubkey)
      if (ordinary.length < fresh.length) put(mainPubkey, main)
      if (young.keys.size + ordinary.length > YOUNG_MOST) emptyYoungGroup(ordinary)
      else for (const pubkey of ordinary) put(pubkey, young)
      for (const pubkey of fresh) retired.delete(pubkey)
      revision += fresh.length
      return fresh
    },
    remove(pubkeys) {
      const gone = pubkeys.filter(leave)
      trim(retired, RETIRED_MOST)
      return gone
    },
    has: (pubkey) => where.has(pubkey),
    isRetired: (pubkey) => retired.has(pubkey),
    revision: () => revision,
    all: () => where.keys(),
    links: () => Math.max(1, Math.ceil(large.length / GROUPS_PER_LINK)),
    groups(link) {
      const own = large.slice(link * GROUPS_PER_LINK, (link + 1) * GROUPS_PER_LINK)
      return link === 0 ? [main, ...own, young] : own
    },
    sweep() {
      const most = [main, young, ...large].reduce((a, b) => (b.stale > a.stale ? b : a))
      if (most.stale === 0) return false
      most.stale = 0
      most.version++
      return true
    },
    size: () => where.size,
  }
}

const group = (sub: string): LargeGroup => ({ sub, keys: new Set(), version: 0, stale: 0 })

/** Removes the oldest entries: sets keep insertion order. */
function trim(set: Set<string>, most: number): void {
  for (const oldest of set) {
    if (set.size <= most) return
    set.delete(oldest)
  }
}
