// Relays in memory behind the port of the Nostr rail: a test switches them off, makes them slow or lets them refuse.
import type { NostrEvent } from '../../src/nostr/event/index.js'
import type { Posting, Relays } from '../../src/till/nostr/ports.js'
import { NOON } from './till-builders.js'

/** What one relay does. */
interface FakeRelay {
  readonly url: string
  /** False: no answer. */
  up: boolean
  /** While set, publishing waits for it. */
  gate: Promise<void> | undefined
  /** What it says to events instead of OK. */
  refusal: string | undefined
  /** One per id, as a relay keeps them. */
  readonly events: Map<string, NostrEvent>
  /** Ids in the order they were published, repeats included. */
  readonly published: string[]
}

export interface FakeRelays extends Relays {
  relay(url: string): FakeRelay
  /** Keys that are listened to, and whether they may have mail. */
  readonly watched: Map<string, boolean>
  /** What happened, in order: `start`, `watch 3`, `settled`, `query`, … */
  readonly log: string[]
  /** While set, `settled` waits for it. */
  bell: Promise<void> | undefined
}

interface Filter {
  readonly kinds?: readonly number[]
  readonly authors?: readonly string[]
}

export function createFakeRelays(urls: readonly string[]): FakeRelays {
  const relays = new Map<string, FakeRelay>()
  const relay = (url: string): FakeRelay => {
    const known = relays.get(url)
    if (known) return known
    const made = { url, up: true, gate: undefined, refusal: undefined, events: new Map(), published: [] }
    relays.set(url, made)
    return made
  }
  for (const url of urls) relay(url)

  async function publishTo(url: string, event: NostrEvent): Promise<Posting> {
    const at = relay(url)
    if (!at.up) return { url, accepted: false, message: 'not connected' }
    at.published.push(event.id)
    await at.gate
    if (at.refusal !== undefined) return { url, accepted: false, message: at.refusal }
    at.events.set(event.id, event)
    return { url, accepted: true, message: '' }
  }

  const fake: FakeRelays = {
    relay,
    watched: new Map(),
    log: [],
    bell: undefined,
    start: () => void fake.log.push('start'),
    watch(pubkeys, { known = false } = {}) {
      fake.log.push(`watch ${pubkeys.length}`)
      for (const pubkey of pubkeys) fake.watched.set(pubkey, known)
    },
    unwatch(pubkeys) {
      for (const pubkey of pubkeys) fake.watched.delete(pubkey)
    },
    async settled() {
      fake.log.push('settled')
      await fake.bell
    },
    publish: (event, targets) => Promise.all(targets.map((url) => publishTo(url, event))),
    async query({ kinds, authors }: Filter, targets) {
      fake.log.push('query')
      const found = targets.filter((url) => relay(url).up).flatMap((url) => [...relay(url).events.values()])
      return found
        .filter(({ kind, pubkey }) => (kinds?.includes(kind) ?? true) && (authors?.includes(pubkey) ?? true))
        .sort((a, b) => b.created_at - a.created_at)
    },
    blame: (url) => void fake.log.push(`blame ${url}`),
    refetch: (pubkeys) => void fake.log.push(`refetch ${pubkeys.length}`),
    health: () =>
      [...relays.values()].map(({ url, up }) => ({
        url,
        state: up ? 'connected' : 'waiting',
        subscribed: up,
        since: NOON,
        lastError: null,
        roundTripMs: null,
        received: 0,
        blamed: 0,
        challenges: false,
        oneTimeKeys: 'served',
      })),
    close: async () => void fake.log.push('close'),
  }
  return fake
}
