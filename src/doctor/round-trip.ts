// A real gift wrap to ourselves: published as a payer would, awaited as the till does.
import type { Clock } from '../lib/ports.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { Secret } from '../lib/secret.js'
import type { NostrEvent } from '../nostr/event/index.js'
import { openWrap, wrapMessage } from '../nostr/gift-wrap/index.js'
import { publicKeyOf } from '../nostr/keys/index.js'
import type { Talk } from './relay-talk.js'

/** After the relay said that it took it; live delivery takes milliseconds. */
const ARRIVAL_MS = 5000
const TEXT = 'grinpay doctor looks whether this relay delivers'
/** Makes a gift wrap of about 40 KB: larger than all usual slatepacks, smaller than what relays should take (128 KiB). */
const LARGE_TEXT = TEXT.padEnd(20_000, '.')

export type Trip =
  /** From publishing to arrival, in ms. */
  | { readonly outcome: 'arrived'; readonly ms: number }
  | { readonly outcome: 'refused'; readonly message: string }
  /** Taken, and never seen again. */
  | { readonly outcome: 'lost' }
  /** Something came back, but it does not open. */
  | { readonly outcome: 'damaged' }

export interface Journey {
  readonly reader: Talk
  readonly writer: Talk
  readonly sender: Secret<Uint8Array>
  /** The reader listens to this key already. */
  readonly receiver: Secret<Uint8Array>
  readonly large?: boolean
  readonly clock: Clock
  readonly random: RandomBytes
}

export async function roundTrip({ reader, writer, sender, receiver, large, clock, random }: Journey): Promise<Trip> {
  const content = large ? LARGE_TEXT : TEXT
  const now = clock.now()
  const { wrap } = wrapMessage({ content, tags: [], sender, receiver: publicKeyOf(receiver), version: 2, now, random })
  const sentAt = clock.now()
  const { accepted, message } = await writer.publish(wrap)
  if (!accepted) return { outcome: 'refused', message }
  const arrival = await reader.arrival(wrap.id, ARRIVAL_MS)
  if (!arrival) return { outcome: 'lost' }
  const { event, at } = arrival
  return opens(event, receiver, content) ? { outcome: 'arrived', ms: Math.max(0, at - sentAt) } : { outcome: 'damaged' }
}

function opens(event: NostrEvent, receiver: Secret<Uint8Array>, content: string): boolean {
  const opened = openWrap(event, receiver)
  return 'rumor' in opened && opened.rumor.content === content
}
