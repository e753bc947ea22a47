// Tells the world where the till's own key reads its messages (specification: invoicing, 4.2). Nothing is published for one-time
// keys: that would mark them as the till's.
import { backoff } from '../../lib/backoff.js'
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import {
  type NostrEvent,
  newestFirst,
  PUBLIC_RELAYS_KIND,
  RELAY_LIST_KIND,
  signEvent,
} from '../../nostr/event/index.js'
import { connectedUrls, type Relays } from './ports.js'

const MAX_RELAYS = 3
const EVERY_MS = 24 * 3_600_000
const FIRST_RETRY_MS = 30_000
const LAST_RETRY_MS = 3_600_000
const LOOK_UP_MS = 10_000
const PUBLISH_MS = 40_000

export interface PublicationParts {
  readonly relays: Pick<Relays, 'query' | 'publish' | 'health'>
  /** The till's own set. */
  readonly urls: readonly string[]
  readonly identity: Secret<Uint8Array>
  readonly mainPubkey: string
  readonly clock: Pick<Clock, 'now'>
  readonly random: RandomBytes
  readonly log: Pick<Log, 'info' | 'warn'>
}

type Content = Pick<NostrEvent, 'kind' | 'tags' | 'content'>

/** The two lists: where to write to, and where this key reads and writes. */
const ownLists = (urls: readonly string[]): readonly Content[] => [
  {
    kind: RELAY_LIST_KIND,
    tags: [...urls.map((url) => ['relay', url]), ['encryption', 'nip44_v3 nip44_v2']],
    content: '',
  },
  { kind: PUBLIC_RELAYS_KIND, tags: urls.map((url) => ['r', url]), content: '' },
]

export interface Publication {
  /** Publishes when it is time; call it often. */
  pass(): Promise<void>
}

/** When a relay is asked next, and how often in a row it did not take the lists. */
interface Plan {
  dueAt: number
  failures: number
}

/** To each relay as soon as it is connected, once a day from then on, and again after a while when it did not take the lists. */
export function createPublication({ relays, urls, clock, log, ...parts }: PublicationParts): Publication {
  const plans = new Map<string, Plan>(urls.slice(0, MAX_RELAYS).map((url) => [url, { dueAt: 0, failures: 0 }]))
  const lists = ownLists(urls)

  /** Publishes what this relay does not have. Throws why it would not take it. */
  async function publishTo(url: string): Promise<void> {
    const filter = { kinds: lists.map(({ kind }) => kind), authors: [parts.mainPubkey] }
    const stored = await relays.query(filter, [url], LOOK_UP_MS)
    for (const list of lists) await publishList(url, list, newestOf(stored, list.kind))
  }

  async function publishList(url: string, list: Content, stored: NostrEvent | undefined): Promise<void> {
    if (stored && isSame(stored, list)) return
    // A relay keeps the newer of two; of the same second it may keep the old one.
    const created_at = Math.max(Math.floor(clock.now() / 1000), (stored?.created_at ?? 0) + 1)
    const event = signEvent({ ...list, created_at }, parts.identity, parts.random)
    const [answer] = await relays.publish(event, [url], PUBLISH_MS)
    if (!answer?.accepted) throw new Error(answer?.message ?? 'no answer')
  }

  async function keep(url: string, plan: Plan): Promise<void> {
    try {
      await publishTo(url)
      if (plan.failures > 0) log.info({ relay: url }, 'relay lists published')
      plan.failures = 0
      plan.dueAt = clock.now() + EVERY_MS
    } catch (cause) {
      plan.failures += 1
      plan.dueAt = clock.now() + backoff(plan.failures, FIRST_RETRY_MS, LAST_RETRY_MS)
      if (plan.failures === 1)
        log.warn({ relay: url, cause: messageOf(cause) }, 'relay lists not published, will be tried again')
    }
  }

  return {
    async pass() {
      const connected = connectedUrls(relays)
      const due = [...plans].filter(([url, { dueAt }]) => dueAt <= clock.now() && connected.has(url))
      await Promise.all(due.map(([url, plan]) => keep(url, plan)))
    },
  }
}

function newestOf(events: readonly NostrEvent[], kind: number): NostrEvent | undefined {
  return events.filter((event) => event.kind === kind).sort(newestFirst)[0]
}

const isSame = (a: Content, b: Content): boolean =>
  a.kind === b.kind && a.content === b.content && JSON.stringify(a.tags) === JSON.stringify(b.tags)
