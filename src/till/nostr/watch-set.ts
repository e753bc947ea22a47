// Which keys the till listens to (specification: invoicing, 4.6): its own, those of invoices that may still be paid, and the
// receiving keys of users.
import type { Clock, Log } from '../../lib/ports.js'
import type { Secret } from '../../lib/secret.js'
import type { Page } from '../model.js'
import type { WatchStore } from '../ports.js'
import { type Owner, secretFor, storedOwner } from './owners.js'

const MINUTE = 60_000
/** Keys of invoices that ended stay this long. */
const CLOSED_MS = 7 * 24 * 60 * MINUTE
const PAGE = 1000
/** More keys than this would cost the relays more than they bear; the oldest invoices come first. */
const MAX_KEYS = 100_000
/** What was added by hand may not be in the store yet: a rebuild leaves it alone for so long. */
const FRESH_MS = 10 * MINUTE

export interface WatchSetParts {
  readonly store: WatchStore
  readonly relays: {
    watch(pubkeys: readonly string[], options?: { readonly known?: boolean }): void
    unwatch(pubkeys: readonly string[]): void
  }
  readonly identity: Secret<Uint8Array>
  readonly mainPubkey: string
  /** Earlier keys of a user that stay listened to. */
  readonly overlapEpochs: number
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'warn'>
}

interface WatchedKey {
  readonly owner: Owner
  /** Until then it stays whatever the store says; epoch milliseconds. */
  readonly keptUntil: number
}

/** Holds owners only; secrets are derived when they are asked for. */
export function createWatchSet({ store, relays, identity, clock, log, ...parts }: WatchSetParts) {
  const entries = new Map<string, WatchedKey>()

  async function readPages<T>(
    page: (limit: number, cursor?: string) => Promise<Page<T>>,
    entryOf: (item: T) => readonly [string, Owner],
    found: Map<string, Owner>,
  ): Promise<void> {
    for (let cursor: string | null = null; found.size < MAX_KEYS; ) {
      const { items, next }: Page<T> = await page(PAGE, cursor ?? undefined)
      for (const item of items) found.set(...entryOf(item))
      if (next === null) return
      cursor = next
    }
    log.warn({ keys: found.size }, 'more receiving keys than the relays can be asked for; the newest are not heard')
  }

  /** What must be listened to by what is stored now. */
  async function wanted(): Promise<ReadonlyMap<string, Owner>> {
    const found = new Map<string, Owner>([[parts.mainPubkey, { kind: 'till' }]])
    await readPages(
      (limit, cursor) => store.endpubsToWatch(parts.overlapEpochs, limit, cursor),
      ({ pubkey, userId, epoch }) => [pubkey, { kind: 'endpub', userId, epoch }],
      found,
    )
    const closedSince = clock.now() - CLOSED_MS
    await readPages(
      (limit, cursor) => store.invoiceKeysToWatch(closedSince, limit, cursor),
      ({ pubkey, invoiceId }) => [pubkey, { kind: 'invoice', invoiceId }],
      found,
    )
    return found
  }

  /** Reads the whole set anew: keys that appeared are back-filled, those that went are dropped. The first call fills it. */
  async function rebuild(): Promise<void> {
    const startedAt = clock.now()
    const found = await wanted()
    const isNew = (pubkey: string) => !entries.has(pubkey)
    const added = [...found.keys()].filter(isNew)
    for (const pubkey of added) entries.set(pubkey, { owner: found.get(pubkey) ?? { kind: 'till' }, keptUntil: 0 })
    const dropped = [...entries].filter(([pubkey, { keptUntil }]) => !found.has(pubkey) && keptUntil < startedAt)
    for (const [pubkey] of dropped) entries.delete(pubkey)
    if (added.length > 0) relays.watch(added, { known: true })
    if (dropped.length > 0) relays.unwatch(dropped.map(([pubkey]) => pubkey))
  }

  /** Listens to more keys. `reserved` ones stay until they are released; `known` ones may have mail already, unlike new ones. */
  function add(keys: ReadonlyMap<string, Owner>, { reserved = false, known = false } = {}): void {
    const keptUntil = reserved ? Number.POSITIVE_INFINITY : clock.now() + FRESH_MS
    for (const [pubkey, owner] of keys) entries.set(pubkey, { owner, keptUntil })
    relays.watch([...keys.keys()], { known })
  }

  /** Adds those that are not listened to yet; the others stay for as long as new ones. */
  function keep(keys: ReadonlyMap<string, Owner>, options: { readonly known: boolean }): void {
    for (const pubkey of keys.keys()) release(pubkey)
    const added = new Map([...keys].filter(([pubkey]) => !entries.has(pubkey)))
    if (added.size > 0) add(added, options)
  }

  /** A reserved key is in use now: from here on the store says how long it is listened to. */
  function release(pubkey: string): void {
    const entry = entries.get(pubkey)
    if (entry) entries.set(pubkey, { ...entry, keptUntil: clock.now() + FRESH_MS })
  }

  return {
    rebuild,
    add,
    keep,
    release,
    size: () => entries.size,
    /** The secret of a key that is listened to. */
    secretOf(pubkey: string): Secret<Uint8Array> | undefined {
      const entry = entries.get(pubkey)
      return entry && secretFor(identity, entry.owner)
    },
    /** The secret of a key that is or was the till's. */
    async findSecret(pubkey: string): Promise<Secret<Uint8Array> | undefined> {
      const owner = pubkey === parts.mainPubkey ? { kind: 'till' as const } : entries.get(pubkey)?.owner
      const known = owner ?? (await storedOwner(store, pubkey))
      return known && secretFor(identity, known)
    },
  }
}
