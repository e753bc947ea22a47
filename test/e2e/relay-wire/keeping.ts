// What is kept of events: of several versions the newest, and every text as it came (NIP-01).
import { describe, expect, test } from 'vitest'
import { inOrder, now, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

export function describeKeeping(): void {
  describe('versions', () => {
    test.each([
      ['a profile', 0, []],
      ['contacts', 3, []],
      ['channel metadata', 41, []],
      ['a replaceable kind', 10_000, []],
      ['the last of them', 19_999, []],
      ['an addressable kind', 30_000, [['d', 'x']]],
      ['the last of them, without identifier', 39_999, []],
    ])('of %s replace each other', async (_what, kind, tags) => {
      const client = await relays.open.client()
      const who = writer()
      const [old, fresh] = [who.event({ kind, tags, created_at: now() - 5 }), who.event({ kind, tags })]
      await client.store(old, fresh)
      expect(await client.ids({ authors: [who.pubkey] })).toEqual([fresh.id])
      expect(await client.ids({ ids: [old.id] })).toEqual([])
      expect(await client.publish(old)).toEqual([false, 'replaced: have newer event'])
      expect(await client.publish(fresh)).toEqual([true, 'duplicate: have this event'])
    })

    test.each([1, 2, 4, 7, 9999, 40_000, 65_535])('of kind %i do not', async (kind) => {
      const client = await relays.open.client()
      const who = writer()
      const both = [who.event({ kind, created_at: now() - 5 }), who.event({ kind })]
      await client.store(...both)
      expect(await client.ids({ authors: [who.pubkey] })).toEqual(inOrder(both))
    })

    test('of one second: the lowest id stays, whichever comes first', async () => {
      const client = await relays.open.client()
      for (const order of [1, -1]) {
        const who = writer()
        const created_at = now()
        const [low, high] = [who.event({ kind: 0, created_at }), who.event({ kind: 0, created_at })].sort((a, b) =>
          a.id < b.id ? -1 : 1,
        )
        const [first, second] = order === 1 ? [low!, high!] : [high!, low!]
        await client.store(first)
        expect((await client.publish(second))[0]).toBe(order === -1)
        expect(await client.ids({ authors: [who.pubkey] })).toEqual([low!.id])
      }
    })

    test('of other identifiers, kinds and authors stay apart', async () => {
      const client = await relays.open.client()
      const [who, other] = [writer(), writer()]
      const tags = [['d', 'x']]
      const kept = [
        who.event({ kind: 30_001, tags }),
        who.event({ kind: 30_001, tags: [['d', 'X']] }),
        who.event({ kind: 30_001, tags: [['d', '']] }),
        who.event({ kind: 30_002, tags }),
        other.event({ kind: 30_001, tags }),
      ]
      await client.store(...kept)
      expect(await client.ids({ authors: [who.pubkey, other.pubkey] })).toEqual(inOrder(kept))
    })

    test('the first identifier counts, and none is an empty one', async () => {
      const client = await relays.open.client()
      const who = writer()
      const T = now() - 50
      const versions = [
        [
          ['d', 'x'],
          ['d', 'y'],
        ],
        [['d', 'x']],
        [],
        [['d']],
        [['d', '']],
      ].map((tags, n) => who.event({ kind: 30_003, tags, created_at: T + n }))
      await client.store(...versions)
      expect(await client.ids({ authors: [who.pubkey] })).toEqual([versions[4]!.id, versions[1]!.id])
    })

    test('come to every subscriber as they arrive', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const who = writer()
      const [old, fresh, late] = [5, 0, 3].map((back) => who.event({ kind: 0, created_at: now() - back }))
      await reader.expects(['REQ', 's', { authors: [who.pubkey] }], [['EOSE', 's']])
      await client.store(old!, fresh!)
      await client.publish(late!)
      expect(await reader.take(2)).toEqual([
        ['EVENT', 's', old],
        ['EVENT', 's', fresh],
      ])
      await reader.isQuiet()
    })
  })

  describe('texts', () => {
    const EVERYTHING = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)).join('')
    test.each([
      ['line breaks, quotes and strokes', '\n"\\\r\t\b\f'],
      ['all control characters', EVERYTHING],
      ['a slash and a delete', '/\u007f'],
      ['letters of all lengths', 'aé€🐢'],
      ['characters that are none', '\ufdd1\u{10fff2}\uffff'],
      ['separators of lines', '\u2028\u2029\u0085'],
      ['a mark of order', '\ufeffx'],
      ['signs of HTML', '<b>&amp;</b>'],
      ['a number', '1e400'],
      ['no character', ''],
    ])('%s come back as they went', async (_what, content) => {
      const client = await relays.open.client()
      const event = writer().event({
        content,
        tags: [
          ['t', content.slice(0, 20)],
          ['x y', content],
        ],
      })
      await client.store(event)
      client.send(['REQ', 's', { ids: [event.id] }])
      expect(await client.next()).toEqual(['EVENT', 's', event])
    })

    test('empty tags come back as they went, and the others find the event', async () => {
      const client = await relays.open.client()
      const event = writer().event({ tags: [[], ['t', 'between empty tags'], []] })
      await client.store(event)
      client.send(['REQ', 's', { '#t': ['between empty tags'] }])
      expect(await client.next()).toEqual(['EVENT', 's', event])
    })

    test('with raw control characters are refused by their id, because that is no JSON', async () => {
      const client = await relays.open.client()
      const event = writer().event({ content: 'two\nlines' })
      const text = JSON.stringify(['EVENT', event]).replace('two\\nlines', 'two\nlines')
      const why = 'invalid: not valid JSON (control characters in texts must be escaped)'
      await client.expects(text, [['OK', event.id, false, why]])
    })

    test('written with escapes that are not needed are the same event', async () => {
      const client = await relays.open.client()
      const event = writer().event({ content: 'slash / and é' })
      const text = JSON.stringify(['EVENT', event]).replace('slash / and é', 'sl\\u0061sh \\/ and \\u00e9')
      await client.expects(text, [['OK', event.id, true, '']])
      expect(await client.publish(event)).toEqual([true, 'duplicate: have this event'])
    })

    test('numbers may be written in another way', async () => {
      const client = await relays.open.client()
      const event = writer().event({ created_at: 1_790_000_000 })
      const text = JSON.stringify(['EVENT', event]).replace('1790000000', '1.79e9')
      client.send(text)
      expect((await client.next()).slice(0, 2)).toEqual(['OK', event.id])
    })
  })
}
