// Where people read their messages, and in which encryption: their newest kind 10050 (specification: invoicing, 4.5 and 4.7).
import type { Clock } from '../../lib/ports.js'
import { isPublicHost } from '../../lib/private-host.js'
import { type NostrEvent, newestFirst, RELAY_LIST_KIND } from '../../nostr/event/index.js'
import { normalRelayUrl } from '../../nostr/relays/index.js'
import { connectedUrls, type Relays } from './ports.js'

const LOOK_UP_MS = 3000
/** After the first relay that has a list, the others get so long to show a newer one: a payer waits. */
const NEWER_MS = 300
/** After the first relay that has none: one that never answers must not hold up every payer for the whole look-up. */
const OTHERS_MS = 1000
const KEPT_MS = 600_000
/** A list that no relay had may still arrive, and a relay that was down may be back. */
const MISSED_MS = 30_000
const MAX_KEPT = 2000
/** Look-ups begun early that run at the same time; strangers cause them. */
const MAX_AHEAD = 32
const MAX_FOREIGN = 3
/** Of one list; the rest is not even read. */
const MAX_NAMED = 20

export interface RelayListParts {
  readonly relays: Pick<Relays, 'query' | 'health'>
  /** The till's own relays; asked for the lists of all recipients. */
  readonly urls: readonly string[]
  readonly clock: Clock
}

interface KnownList {
  readonly list: Promise<NostrEvent | undefined>
  /** Epoch milliseconds; infinite while it is looked up. */
  until: number
}

export type RelayLists = ReturnType<typeof createRelayLists>

/** Looks lists up once and remembers them for ten minutes. */
export function createRelayLists({ relays, urls, clock }: RelayListParts) {
  const known = new Map<string, KnownList>()
  let looking = 0

  /** Only those that answer now: waiting for one that comes back would keep the payer waiting. */
  function usable(): readonly string[] {
    const connected = connectedUrls(relays)
    const now = urls.filter((url) => connected.has(url))
    return now.length > 0 ? now : urls
  }

  /** Asks all at once; done when all have answered, a moment after the first list, or a second after the first answer. */
  async function gather(pubkey: string): Promise<readonly NostrEvent[]> {
    const found: NostrEvent[] = []
    const timer = new AbortController()
    const [list, answer] = [bell(), bell()]
    const filter = { kinds: [RELAY_LIST_KIND], authors: [pubkey], limit: 1 }
    const asked = usable().map(async (url) => {
      const events = await relays.query(filter, [url], LOOK_UP_MS).catch(() => []) // a reply needs no list
      // The pool checked id and signature; what was asked for is checked here: the list decides where replies go.
      found.push(...events.filter(({ kind, pubkey: author }) => kind === RELAY_LIST_KIND && author === pubkey))
      answer.ring()
      if (found.length > 0) list.ring()
    })
    const soon = (rung: Promise<void>, ms: number) => rung.then(() => clock.sleep(ms, timer.signal))
    await Promise.race([Promise.all(asked), soon(list.rung, NEWER_MS), soon(answer.rung, OTHERS_MS)])
    timer.abort()
    return found
  }

  async function lookUp(pubkey: string): Promise<NostrEvent | undefined> {
    looking += 1
    try {
      return (await gather(pubkey)).toSorted(newestFirst)[0]
    } finally {
      looking -= 1
    }
  }

  /** The newest list of this key, or undefined when there is none within three seconds. Never rejects. */
  function find(pubkey: string): Promise<NostrEvent | undefined> {
    const before = known.get(pubkey)
    if (before && before.until > clock.monotonic()) return before.list
    known.delete(pubkey)
    makeRoom()
    const entry: KnownList = { list: lookUp(pubkey), until: Number.POSITIVE_INFINITY }
    known.set(pubkey, entry)
    return entry.list.then((list) => {
      entry.until = clock.monotonic() + (list ? KEPT_MS : MISSED_MS)
      return list
    })
  }

  function makeRoom(): void {
    const [oldest] = known.keys()
    if (known.size >= MAX_KEPT && oldest !== undefined) known.delete(oldest)
  }

  return {
    find,
    /** Begins the look-up that a reply to this key will need. */
    lookAhead(pubkey: string): void {
      if (looking < MAX_AHEAD) void find(pubkey)
    },
  }
}

/** Something that happens once. */
function bell(): { readonly rung: Promise<void>; readonly ring: () => void } {
  let ring = () => {}
  const rung = new Promise<void>((resolve) => {
    ring = resolve
  })
  return { rung, ring: () => ring() }
}

/** Where a message goes: the own relays (in normal form) and the first three of the receiver's that may be dialled. */
export function targetsOf(list: NostrEvent | undefined, own: readonly string[]): readonly string[] {
  const named = (list?.tags ?? []).filter(([name]) => name === 'relay').slice(0, MAX_NAMED)
  const theirs = named.map(([, url = '']) => normalRelayUrl(url)).filter((url) => url !== undefined)
  const foreign = [...new Set(theirs)].filter((url) => !own.includes(url) && isDiallable(url))
  return [...own, ...foreign.slice(0, MAX_FOREIGN)]
}

/** Strangers choose these addresses: only encrypted ones, and none inside this network. */
const isDiallable = (url: string): boolean => url.startsWith('wss://') && isPublicHost(new URL(url).hostname)
