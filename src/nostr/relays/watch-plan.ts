// Which key stands in which subscription: the same plan for all relays. Pure. A new key goes into the small `young` group, so
// that adding one costs a short frame; a full one is emptied into the large groups, whose frames are sent rarely.

const KEYS_PER_GROUP = 1500
const YOUNG_MOST = 100
const GROUPS_PER_LINK = 8
const RETIRED_MOST = 20_000

/** One subscription: a stable id, and a version that grows whenever its REQ has to be sent again. */
export interface Group {
  readonly sub: string
  readonly keys: ReadonlySet<string>
  readonly version: number
}

interface LargeGroup extends Group {
  readonly keys: Set<string>
  version: number
  /** Keys that left since the REQ was written. */
  stale: number
}

export interface WatchPlan {
  /** Adds keys and returns those that were not there. */
  add(pubkeys: readonly string[]): readonly string[]
  remove(pubkeys: readonly string[]): readonly string[]
  has(pubkey: string): boolean
  /** Whether a key was watched until a short while ago, so that mail to it is no fault. */
  isRetired(pubkey: string): boolean
  /** Grows with every key that is added. */
  revision(): number
  /** All keys, oldest first. */
  all(): Iterable<string>
  /** Connections that are needed per relay: 12 000 keys each. */
  links(): number
  /** In the order in which they have to be written: where a key moves to before where it leaves. */
  groups(link: number): readonly Group[]
  /** Marks the group that lost most keys for writing again. False when none lost any. */
  sweep(): boolean
  size(): number
}

/** `mainPubkey` has a subscription of its own: a relay that hides the mail of one-time keys still serves that one. */
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

/** Sets keep the order of insertion: the oldest go first. */
function trim(set: Set<string>, most: number): void {
  for (const oldest of set) {
    if (set.size <= most) return
    set.delete(oldest)
  }
}
