// An event is what its author signed, to the last bit: each bit of id, key and signature is turned over.
import type { NostrEvent } from 'nostr-tools/pure'
import { getEventHash } from 'nostr-tools/pure'
import { describe, expect, test } from 'vitest'
import { writer } from '../../support/wire-people.js'
import { targets } from './targets.js'

/** A connection that begins with more bad signatures than these is closed. */
const PER_CONNECTION = 4

function flipped(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, 'hex')
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
  return bytes.toString('hex')
}

const variants = (event: NostrEvent, member: 'id' | 'pubkey' | 'sig'): readonly NostrEvent[] =>
  Array.from({ length: event[member].length * 4 }, (_, bit) => ({ ...event, [member]: flipped(event[member], bit) }))

/** What the relay says to each. */
async function answers(events: readonly NostrEvent[]): Promise<readonly string[]> {
  const replies: string[] = []
  async function ask(some: readonly NostrEvent[]): Promise<void> {
    const client = await targets.relay.client()
    for (const event of some) client.send(['EVENT', event])
    for (const [verb, , accepted, text] of await client.take(some.length)) replies.push(`${verb} ${accepted} ${text}`)
    client.close()
  }
  const portions = Array.from({ length: events.length / PER_CONNECTION }, (_, n) => n * PER_CONNECTION)
  for (let at = 0; at < portions.length; at += 16)
    await Promise.all(portions.slice(at, at + 16).map((start) => ask(events.slice(start, start + PER_CONNECTION))))
  return replies
}

const BAD_ID = 'OK false invalid: id is not that of the content'
const BAD_SIGNATURE = 'OK false invalid: bad signature'

export function describeBitFlips(): void {
  describe('one bit of an event', () => {
    const event = writer().event({ tags: [['t', 'x']] })

    test.each([
      ['id', 256, BAD_ID],
      ['pubkey', 256, BAD_ID],
      ['sig', 512, BAD_SIGNATURE],
    ] as const)('of its %s: all %i are refused', async (member, count, answer) => {
      const replies = await answers(variants(event, member))
      expect(replies).toHaveLength(count)
      expect(new Set(replies)).toEqual(new Set([answer]))
    })

    test('of its key, with an id that fits the other key: all 256 are refused', async () => {
      const reaction = writer().event({ kind: 7 }) // notes would be refused for their author alone
      const others = variants(reaction, 'pubkey').map((one) => ({ ...one, id: getEventHash(one) }))
      const replies = await answers(others)
      expect(replies).toHaveLength(256)
      expect(new Set(replies)).toEqual(new Set([BAD_SIGNATURE]))
    })

    test('turned back is accepted, and nothing else was stored', async () => {
      const client = await targets.relay.client()
      expect(await client.count({ '#t': ['x'] })).toEqual({ count: 0 })
      await client.store(event)
    })
  })
}
