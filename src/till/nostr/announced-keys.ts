// Receiving keys that one instance of a till makes and another one listens to: the maker announces them, the listener answers when the relays are
// asked. Announcements are repeated, since each may be lost and the listener may change; an announced key is as good as one of its own.
import type { Clock } from '../../lib/ports.js'
import type { Bell } from '../parts.js'
import type { Owner } from './owners.js'

const MINUTE = 60_000
/** A key that went into use is announced for so long; by then a rebuild of the watch set has found it in the store. */
const FRESH_MS = 10 * MINUTE
/** The listener forgets a key after FRESH_MS of watch-set.ts unless it hears of it again. */
const REPEAT_MS = 3 * MINUTE

type Keys = ReadonlyMap<string, Owner>

interface Announced {
  readonly owner: Owner
  readonly keptUntil: number
  /** When the listener answered; undefined: not yet. */
  readonly watchedAt: number | undefined
}

/** A new listener began: what was announced to the one before counts no more. */
const LISTENING = 'listening'
const WATCHED = 'watched:'
const WATCH = /^watch:([01]):(?:i\.([^:]+)|e\.(\d+)\.([^:]+)):([0-9a-f]{64})$/

function watchTopic(pubkey: string, owner: Owner, known: boolean): string | undefined {
  if (owner.kind === 'till') return undefined
  const made =
    owner.kind === 'invoice' ? `i.${owner.invoiceId}` : `e.${owner.epoch}.${encodeURIComponent(owner.userId)}`
  return `watch:${known ? 1 : 0}:${made}:${pubkey}`
}

function readWatch(
  topic: string,
): { readonly pubkey: string; readonly owner: Owner; readonly known: boolean } | undefined {
  const [, known, invoiceId, epoch, userId = '', pubkey] = WATCH.exec(topic) ?? []
  if (pubkey === undefined) return undefined
  const owner: Owner =
    invoiceId === undefined
      ? { kind: 'endpub', userId: decodeURIComponent(userId), epoch: Number(epoch) }
      : { kind: 'invoice', invoiceId }
  return { pubkey, owner, known: known === '1' }
}

/** The maker's side; fits `createKeyReserve` as its watch set. */
export function createAnnouncedKeys({ bell, clock }: { readonly bell: Bell; readonly clock: Clock }) {
  const announced = new Map<string, Announced>()
  const waiters = new Set<() => void>()
  const closing = new AbortController()

  function announce(pubkey: string, { owner }: Announced, known: boolean): void {
    const topic = watchTopic(pubkey, owner, known)
    if (topic !== undefined) bell.ring(topic)
  }

  /** Keys that were announced before may have mail. */
  function repeat(isDue: (key: Announced) => boolean): void {
    for (const [pubkey, key] of announced) if (isDue(key)) announce(pubkey, key, true)
  }

  function startAgain(): void {
    for (const [pubkey, key] of announced) announced.set(pubkey, { ...key, watchedAt: undefined })
    repeat(() => true)
  }

  function heard(topic: string | undefined): void {
    if (topic === undefined || topic === LISTENING) startAgain()
    else if (topic.startsWith(WATCHED)) answered(topic.slice(WATCHED.length))
  }

  function answered(pubkey: string): void {
    const key = announced.get(pubkey)
    if (!key) return
    announced.set(pubkey, { ...key, watchedAt: clock.now() })
    for (const wake of waiters) wake()
  }
  const stopListening = bell.listen(heard)

  const areWatched = (): boolean => [...announced.values()].every(({ watchedAt }) => watchedAt !== undefined)

  return {
    add(keys: Keys, { reserved = false, known = false } = {}): void {
      const keptUntil = reserved ? Number.POSITIVE_INFINITY : clock.now() + FRESH_MS
      for (const [pubkey, owner] of keys) {
        const key = { owner, keptUntil, watchedAt: undefined }
        announced.set(pubkey, key)
        announce(pubkey, key, known)
      }
    },
    /** A reserved key is in use now. */
    release(pubkey: string): void {
      const key = announced.get(pubkey)
      if (key) announced.set(pubkey, { ...key, keptUntil: clock.now() + FRESH_MS })
    },
    /** Resolves when the listener has answered for every key, after `ms`, or when this is closed. */
    async settled(ms: number): Promise<void> {
      const over = new AbortController()
      const end = () => {
        if (areWatched()) over.abort()
      }
      const stop = () => over.abort()
      closing.signal.addEventListener('abort', stop, { once: true })
      waiters.add(end)
      end()
      const until = clock.monotonic() + ms
      while (!over.signal.aborted && !closing.signal.aborted && clock.monotonic() < until)
        await clock.sleep(Math.min(MINUTE, until - clock.monotonic()), over.signal)
      waiters.delete(end)
      closing.signal.removeEventListener('abort', stop)
    },
    /** Announces again what was not answered, or long ago; forgets what is in use for long. */
    async pass(): Promise<void> {
      const now = clock.now()
      for (const [pubkey, { keptUntil }] of announced) if (keptUntil < now) announced.delete(pubkey)
      repeat(({ watchedAt }) => watchedAt === undefined || watchedAt < now - REPEAT_MS)
    },
    size: () => announced.size,
    close(): void {
      stopListening()
      closing.abort()
    },
  }
}

/** The listener's side, as long as it listens: answers what ends it. `watch` resolves when the relays are asked. */
export function watchAnnouncedKeys(
  bell: Bell,
  watch: (keys: Keys, options: { readonly known: boolean }) => Promise<void>,
): () => void {
  const waiting = [new Map<string, Owner>(), new Map<string, Owner>()] as const

  function flush(known: boolean): void {
    const slot = waiting[known ? 1 : 0]
    const keys = new Map(slot)
    slot.clear()
    void watch(keys, { known }).then(
      () => {
        for (const pubkey of keys.keys()) bell.ring(`${WATCHED}${pubkey}`)
      },
      () => undefined, // not answered: it is announced again
    )
  }

  const stop = bell.listen((topic) => {
    const key = topic === undefined ? undefined : readWatch(topic)
    if (!key) return
    const slot = waiting[key.known ? 1 : 0]
    if (slot.size === 0) setImmediate(() => flush(key.known))
    slot.set(key.pubkey, key.owner)
  })
  bell.ring(LISTENING)
  return stop
}
