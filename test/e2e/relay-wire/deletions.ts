// What authors take back (NIP-09), what ends by itself (NIP-40), what may not be taken back (NIP-59), and what only its author brings (NIP-70).
import { describe, expect, test } from 'vitest'
import { authEvent } from '../../support/wire-auth.js'
import { now, person, wrapFor, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

const DELETED = [false, 'deleted: user requested deletion']
const STORED = [true, '']
const KNOWN = [true, 'duplicate: have this event']

export function describeDeletions(): void {
  describe('deletion (NIP-09)', () => {
    test('by id takes the event away, and stays itself', async () => {
      const client = await relays.open.client()
      const who = writer()
      const events = [who.event(), who.event(), who.event()]
      await client.store(...events)
      const deletion = who.deletion(
        [
          ['e', events[0]!.id],
          ['e', events[1]!.id, 'wss://x.example'],
          ['k', '1'],
        ],
        now() + 1,
      )
      await client.store(deletion)
      expect(await client.ids({ authors: [who.pubkey] })).toEqual([deletion.id, events[2]!.id])
      expect(await client.publish(events[0]!)).toEqual(DELETED)
      expect(await client.publish(events[1]!)).toEqual(DELETED)
    })

    test('by id holds for an event that comes later', async () => {
      const client = await relays.open.client()
      const who = writer()
      const event = who.event()
      await client.store(who.deletion([['e', event.id]], now() - 100))
      expect(await client.publish(event)).toEqual(DELETED)
    })

    test('by address takes what is not newer, and lets newer versions in', async () => {
      const client = await relays.open.client()
      const who = writer()
      const T = now() - 100
      const version = (after: number) => who.event({ kind: 30_023, tags: [['d', 'a:b']], created_at: T + after })
      const address = ['a', `30023:${who.pubkey}:a:b`]
      const [old, same, newer] = [version(-1), version(0), version(1)]
      await client.store(same, who.deletion([address], T))
      expect(await client.ids({ authors: [who.pubkey], kinds: [30_023] })).toEqual([])
      expect([await client.publish(old), await client.publish(same)]).toEqual([DELETED, DELETED])
      expect(await client.publish(newer)).toEqual(STORED)
      await client.store(who.deletion([address], T - 50))
      expect(await client.ids({ authors: [who.pubkey], kinds: [30_023] })).toEqual([newer.id])
    })

    test('by address leaves a version that is newer than the deletion', async () => {
      const client = await relays.open.client()
      const who = writer()
      const event = who.event({ kind: 30_023, tags: [['d', 'x']] })
      await client.store(event, who.deletion([['a', `30023:${who.pubkey}:x`]], now() - 10))
      expect(await client.ids({ ids: [event.id] })).toEqual([event.id])
    })

    test('by address is bound to kind and identifier', async () => {
      const client = await relays.open.client()
      const who = writer()
      const events = [
        who.event({ kind: 30_023, tags: [['d', 'x']] }),
        who.event({ kind: 30_023, tags: [['d', 'y']] }),
        who.event({ kind: 30_024, tags: [['d', 'x']] }),
        who.event({ kind: 0 }),
      ]
      await client.store(
        ...events,
        who.deletion(
          [
            ['a', `30023:${who.pubkey}:x`],
            ['a', `0:${who.pubkey}:`],
          ],
          now() + 1,
        ),
      )
      const left = await client.ids({ authors: [who.pubkey], kinds: [0, 30_023, 30_024] })
      expect([...left].sort()).toEqual([events[1]!.id, events[2]!.id].sort())
    })

    test('of an own and another author’s event deletes the own one', async () => {
      const client = await relays.open.client()
      const [who, other] = [writer(), writer()]
      const [mine, theirs] = [who.event(), other.event()]
      await client.store(mine, theirs)
      expect(
        await client.publish(
          who.deletion([
            ['e', mine.id],
            ['e', theirs.id],
          ]),
        ),
      ).toEqual(STORED)
      expect(await client.publish(mine)).toEqual(DELETED)
      expect(await client.publish(theirs)).toEqual(KNOWN)
    })

    test('of another author’s address is kept and does nothing', async () => {
      const client = await relays.open.client()
      const [who, other] = [writer(), writer()]
      const theirs = other.event({ kind: 30_023, tags: [['d', 'x']] })
      await client.store(theirs)
      expect(await client.publish(who.deletion([['a', `30023:${other.pubkey}:x`]], now() + 5))).toEqual(STORED)
      expect(await client.publish(who.deletion([['a', `30023:${other.pubkey}:y`]]))).toEqual(STORED)
      expect(await client.publish(theirs)).toEqual(KNOWN)
    })

    test('of an event that is not known is kept, and does not touch another author’s when it comes', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      expect(await client.publish(writer().deletion([['e', event.id]]))).toEqual(STORED)
      expect(await client.publish(event)).toEqual(STORED)
    })

    test('of a deletion does nothing', async () => {
      const client = await relays.open.client()
      const who = writer()
      const event = who.event()
      const deletion = who.deletion([['e', event.id]])
      await client.store(event, deletion, who.deletion([['e', deletion.id]]))
      expect(await client.publish(event)).toEqual(DELETED)
      expect(await client.publish(deletion)).toEqual(KNOWN)
    })

    test.each([
      ['names nothing', []],
      ['names what is no id', [['e', 'x'], ['e'], ['a', 'x'], ['a'], ['a', '1:2:3']]],
    ])('that %s is kept', async (_what, tags) => {
      expect(await (await relays.open.client()).publish(writer().deletion(tags))).toEqual(STORED)
    })

    test('comes to every subscriber', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const who = writer()
      const event = who.event()
      await client.store(event)
      reader.send(['REQ', 's', { authors: [who.pubkey], kinds: [5] }])
      await reader.until('EOSE')
      const deletion = who.deletion([['e', event.id]])
      await client.store(deletion)
      expect(await reader.next()).toEqual(['EVENT', 's', deletion])
    })
  })

  describe('gift wraps (NIP-59)', () => {
    test('are not deleted by their own key', async () => {
      for (const relay of [relays.open, relays.usual]) {
        const client = await relay.client()
        const [thrownAway, recipient] = [writer(), person('keeper')]
        const wrap = wrapFor(recipient.pubkey, {}, thrownAway)
        await client.store(wrap, thrownAway.deletion([['e', wrap.id]]))
        expect(await client.ids({ ids: [wrap.id] })).toEqual([wrap.id])
        expect(await client.publish(wrap)).toEqual(KNOWN)
      }
    })

    test('are not deleted before they come', async () => {
      const client = await relays.usual.client()
      const thrownAway = writer()
      const wrap = wrapFor(person('keeper').pubkey, {}, thrownAway)
      await client.store(thrownAway.deletion([['e', wrap.id]]), wrap)
      expect(await client.ids({ ids: [wrap.id] })).toEqual([wrap.id])
    })

    test('are deleted by their recipient only where that is set', async () => {
      for (const [relay, left] of [
        [relays.open, 0],
        [relays.usual, 1],
      ] as const) {
        const client = await relay.client()
        const recipient = writer()
        const wrap = wrapFor(recipient.pubkey)
        await client.store(wrap)
        expect(await client.publish(recipient.deletion([['e', wrap.id]]))).toEqual(STORED)
        expect(await client.ids({ ids: [wrap.id] })).toHaveLength(left)
        expect(await client.publish(wrap)).toEqual(left ? KNOWN : DELETED)
      }
    })

    test('named by a stranger stay, and the stranger learns nothing', async () => {
      for (const relay of [relays.open, relays.usual]) {
        const client = await relay.client()
        const wrap = wrapFor(person('keeper').pubkey)
        await client.store(wrap)
        expect(await client.publish(writer().deletion([['e', wrap.id]]))).toEqual(STORED)
        expect(await client.ids({ ids: [wrap.id] })).toEqual([wrap.id])
      }
    })

    test('of one recipient do not replace each other', async () => {
      const client = await relays.usual.client()
      const [recipient, key] = [person('keeper of two'), writer()]
      const wraps = [wrapFor(recipient.pubkey, {}, key), wrapFor(recipient.pubkey, { content: 'other' }, key)]
      await client.store(...wraps)
      expect(await client.ids({ kinds: [1059], '#p': [recipient.pubkey] })).toHaveLength(2)
    })
  })

  describe('expiry (NIP-40)', () => {
    test('an event is shown until its end, and not after it', async () => {
      const client = await relays.open.client()
      const who = writer()
      const event = who.event({ tags: [['expiration', String(now() + 2)]] })
      await client.store(event)
      expect(await client.ids({ ids: [event.id] })).toEqual([event.id])
      await new Promise((resolve) => setTimeout(resolve, 2100))
      expect(await client.ids({ ids: [event.id] })).toEqual([])
      expect(await client.ids({ authors: [who.pubkey] })).toEqual([])
      expect(await client.count({ authors: [who.pubkey] })).toEqual({ count: 0 })
      expect(await client.publish(event)).toEqual([false, 'invalid: event expired'])
    })

    test.each([
      ['in an hour', [['expiration', String(now() + 3600)]], ''],
      ['an hour ago', [['expiration', String(now() - 3600)]], 'invalid: event expired'],
      ['in 1970', [['expiration', '0']], 'invalid: event expired'],
      ['never, as it is no number', [['expiration', 'tomorrow']], ''],
      ['never, as it is not said', [['expiration']], ''],
    ])('an event that ends %s', async (_what, tags, text) => {
      expect(await (await relays.open.client()).publish(writer().event({ tags }))).toEqual([text === '', text])
    })

    test('an ephemeral event that has ended is not passed on', async () => {
      const event = writer().event({ kind: 20_000, tags: [['expiration', String(now() - 1)]] })
      expect(await (await relays.open.client()).publish(event)).toEqual([false, 'invalid: event expired'])
    })
  })

  describe('protected events (NIP-70)', () => {
    const PROTECTED = 'blocked: event marked as protected'

    test('are refused where clients cannot authenticate', async () => {
      const client = await relays.open.client()
      expect(await client.publish(writer().event({ tags: [['-']] }))).toEqual([false, PROTECTED])
      expect(
        await client.publish(
          writer().event({
            tags: [
              ['t', '-'],
              ['-', 'x'],
            ],
          }),
        ),
      ).toEqual([false, PROTECTED])
      expect(await client.publish(writer().event({ tags: [['t', '-']] }))).toEqual(STORED)
    })

    test('are taken from their author alone', async () => {
      const client = await relays.gated.client()
      const [who, other] = [writer(), writer()]
      const [mine, theirs] = [who, other].map((one) => one.event({ tags: [['-']] }))
      const only = 'this event may only be published by its author'
      client.send(['EVENT', mine])
      const challenge = await client.challenge()
      expect(await client.take(2)).toEqual([
        ['OK', mine!.id, false, `auth-required: ${only}`],
        ['AUTH', challenge],
      ])
      expect(await client.publish(authEvent(who, { relay: relays.gated.address, challenge }), 'AUTH')).toEqual(STORED)
      expect(await client.publish(mine!)).toEqual(STORED)
      expect(await client.publish(theirs!)).toEqual([false, `restricted: ${only}`])
    })

    test.each([6, 16])('are not reposted with kind %i', async (kind) => {
      const client = await relays.open.client()
      const embedded = writer().event({ tags: [['-']] })
      const text = 'blocked: reposts of protected events are not accepted'
      expect(await client.publish(writer().event({ kind, content: JSON.stringify(embedded) }))).toEqual([false, text])
      const open = JSON.stringify(writer().event({ tags: [['t', '-']] }))
      expect(await client.publish(writer().event({ kind, content: open }))).toEqual(STORED)
    })
  })
}
