// Receiving keys in reserve: the relays are asked for them before an invoice has them, so creating one waits for no relay.
import { toHex } from '../../lib/bytes.js'
import { messageOf } from '../../lib/errors.js'
import type { Log } from '../../lib/ports.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { deriveChild, invoiceContext } from '../../nostr/keys/index.js'
import type { OneTimeKey, OneTimeKeys } from '../parts.js'
import type { Owner } from './owners.js'

/** Keys in reserve at first and at most: the reserve doubles whenever it runs dry. */
const LEAST = 64
const MOST = 512
/** Keys derived in one go: some milliseconds of work. */
const BATCH = 32
/** How long a created invoice waits for the relays to be asked for its key, when the reserve is empty. */
const PATIENCE_MS = 1000
const REFILL_MS = 2000

export interface OneTimeKeyParts {
  readonly watchSet: {
    add(keys: ReadonlyMap<string, Owner>, options?: { readonly reserved?: boolean }): void
    release(pubkey: string): void
  }
  /** Resolves when every key so far stands in a request that was written to every connected relay, or after `ms`. */
  readonly settled: (ms: number) => Promise<void>
  /** How long a batch waits; 2 s by default: relays that are slower hear of its keys as soon as they can. */
  readonly refillMs?: number
  readonly identity: Secret<Uint8Array>
  readonly random: RandomBytes
  readonly log: Pick<Log, 'warn'>
}

export interface KeyReserve extends OneTimeKeys {
  /** Fills up; resolves when the reserve is full. */
  refill(): Promise<void>
  /** Keys that are ready. */
  size(): number
  /** Fills up no more. */
  close(): void
}

/** Ids of invoices to come, with their keys. The reserve of a stopped till is dropped: no invoice ever named these keys. */
export function createKeyReserve(parts: OneTimeKeyParts): KeyReserve {
  const { watchSet, settled, refillMs = REFILL_MS, identity, random, log } = parts
  const ready: OneTimeKey[] = []
  let target = LEAST
  let filling: Promise<void> | undefined
  let closed = false

  function derive(count: number): OneTimeKey[] {
    return Array.from({ length: count }, () => {
      const invoiceId = toHex(random.bytes(16))
      return { invoiceId, pubkey: deriveChild(identity, invoiceContext(invoiceId)).pubkey }
    })
  }

  function watch(keys: readonly OneTimeKey[], reserved: boolean): void {
    watchSet.add(new Map(keys.map(({ pubkey, invoiceId }) => [pubkey, { kind: 'invoice', invoiceId }])), {
      reserved,
    })
  }

  async function fill(): Promise<void> {
    while (!closed && ready.length < target) {
      const batch = derive(Math.min(BATCH, target - ready.length))
      watch(batch, true)
      await settled(refillMs)
      ready.push(...batch)
    }
  }

  function refill(): Promise<void> {
    filling ??= fill().finally(() => {
      filling = undefined
    })
    return filling
  }

  function refillSoon(): void {
    refill().catch((cause: unknown) => log.warn({ cause: messageOf(cause) }, 'no keys in reserve'))
  }

  async function makeNow(): Promise<OneTimeKey> {
    const [key] = derive(1)
    if (!key) throw new RangeError('no key was derived')
    watch([key], false)
    await settled(PATIENCE_MS)
    return key
  }

  return {
    refill,
    size: () => ready.length,
    close() {
      closed = true
    },
    async take() {
      const key = ready.shift()
      if (!key) target = Math.min(MOST, target * 2)
      if (ready.length <= target / 2) refillSoon()
      if (!key) return makeNow()
      watchSet.release(key.pubkey)
      return key
    },
  }
}
