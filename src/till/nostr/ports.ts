// The relays as the Nostr rail needs them: the pool of nostr/relays fits, and so does a fake.
import type { NostrEvent } from '../../nostr/event/index.js'
import type { RelayState } from '../api.js'

/** What one relay said to an event. */
export interface Posting {
  readonly url: string
  readonly accepted: boolean
  /** The relay's words, or why there were none. */
  readonly message: string
}

export interface Relays {
  start(): void
  /** `known`: the keys may have mail already, which is then fetched. */
  watch(pubkeys: readonly string[], options?: { readonly known?: boolean }): void
  unwatch(pubkeys: readonly string[]): void
  /** Resolves when every key so far stands in a request that was written to every connected relay, or after `ms`. */
  settled(ms: number): Promise<void>
  /** Never rejects for what relays do; one answer per address. */
  publish(event: NostrEvent, urls: readonly string[], timeoutMs: number): Promise<readonly Posting[]>
  /** Genuine events that match the filter, newest first. */
  query(filter: object, urls: readonly string[], timeoutMs: number): Promise<readonly NostrEvent[]>
  /** This relay sent a forgery. */
  blame(relay: string, why: string): void
  /** Fetches again what had to be dropped for these keys. */
  refetch(pubkeys: readonly string[]): void
  health(): readonly RelayState[]
  close(): Promise<void>
}

/** The relays that can be asked now. */
export const connectedUrls = (relays: Pick<Relays, 'health'>): ReadonlySet<string> =>
  new Set(relays.health().flatMap(({ url, state }) => (state === 'connected' ? [url] : [])))
