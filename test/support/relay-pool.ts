// A relay pool on real sockets, with keys and wraps to play with.

import { Secret } from '../../src/lib/secret.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { publicKeyOf } from '../../src/nostr/keys/index.js'
import { createRelayPool, type RelayPool, type RelayPoolParts } from '../../src/nostr/relays/index.js'
import { createOpenWebSocket, type SystemClock, systemClock, systemRandom } from '../../src/system/index.js'

export interface TestKey {
  readonly secret: Secret<Uint8Array>
  readonly pubkey: string
}

export function newKey(): TestKey {
  const secret = new Secret(systemRandom.bytes(32))
  return { secret, pubkey: publicKeyOf(secret) }
}

/** A well-formed key without an owner: for filling subscriptions. */
export const anyPubkey = (n: number): string => n.toString(16).padStart(64, '0')

const nowSeconds = () => Math.floor(systemClock.now() / 1000)

/** A gift wrap as far as a relay can see: signed by a fresh key, to one receiver. `age` in seconds. */
export function wrapTo(
  receiver: string,
  content = 'sealed',
  age = 0,
  tags: readonly (readonly string[])[] = [],
): NostrEvent {
  const template = { kind: 1059, created_at: nowSeconds() - age, tags: [['p', receiver], ...tags], content }
  return signEvent(template, newKey().secret, systemRandom)
}

/** Real time, but twenty times as fast: for what takes seconds by design. */
export function fastClock(speed = 20): SystemClock {
  const start = systemClock.now()
  return {
    now: () => start + (systemClock.now() - start) * speed,
    monotonic: () => systemClock.monotonic() * speed,
    sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
  }
}

interface LogLine {
  readonly level: string
  readonly text: string
  readonly fields: object
}

/** A pool and what came out of it. */
export function aPool(parts: Partial<RelayPoolParts> & Pick<RelayPoolParts, 'urls'>) {
  const main = newKey()
  const keys = new Map<string, TestKey>([[main.pubkey, main]])
  const wraps: NostrEvent[] = []
  const lines: LogLine[] = []
  const write = (level: string) => (fields: object, text: string) => void lines.push({ level, text, fields })
  const pool: RelayPool = createRelayPool({
    openSocket: createOpenWebSocket(),
    clock: systemClock,
    random: systemRandom,
    mainPubkey: main.pubkey,
    secretOf: (pubkey) => keys.get(pubkey)?.secret,
    onWrap: (wrap) => {
      wraps.push(wrap)
      return true
    },
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    ...parts,
  })
  return {
    pool,
    main,
    wraps,
    lines,
    texts: () => lines.map(({ text }) => text),
    /** A one-time key that the pool can sign for. */
    childKey(): TestKey {
      const key = newKey()
      keys.set(key.pubkey, key)
      return key
    },
  }
}
