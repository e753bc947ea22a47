// Events with true ids for tests of the event store, which never looks at signatures.
import { type EventText, eventId, eventText, type NostrEvent } from '../../src/nostr/event/index.js'

const SIG = '0'.repeat(128)
/** Epoch seconds. */
export const NOW = 1_760_000_000

export const keyOf = (n: number): string => n.toString(16).padStart(4, '0').repeat(16)

/** A note of author 1 at NOW by default. */
export function aText(members: Partial<Omit<NostrEvent, 'id' | 'sig'>> = {}): EventText {
  const unsigned = { pubkey: keyOf(1), created_at: NOW, kind: 1, tags: [], content: '', ...members }
  const text = eventText({ ...unsigned, id: eventId(unsigned), sig: SIG })
  if (!text) throw new Error('the id is that of the event')
  return text
}

export const aDeletion = (members: Partial<Omit<NostrEvent, 'id' | 'sig'>>): EventText => aText({ kind: 5, ...members })

/** A gift wrap from throw-away key 900 to key 2 by default. */
export const aWrap = (members: Partial<Omit<NostrEvent, 'id' | 'sig'>> = {}): EventText =>
  aText({ kind: 1059, pubkey: keyOf(900), tags: [['p', keyOf(2)]], ...members })
