// Every limit at its bound and beyond it: those that come with the relay, and small ones that were set (specification: relay, 5 and 11.3).
import { beforeAll, describe, expect, test } from 'vitest'
import { authEvent } from '../../support/wire-auth.js'
import type { WireClient } from '../../support/wire-client.js'
import { eventOfBytes, now, person, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

const YEARS = 94_608_000
const [LATE, EARLY] = ['invalid: created_at too late', 'invalid: created_at too early']
const OVER = 'invalid: ephemeral event expired'
const many = (count: number): string[][] => Array.from({ length: count }, (_, n) => ['t', `tag ${n}`])

/** A connection to the relay with small limits that has proven a key. */
async function trusted() {
  const client = await relays.strict.client()
  const who = writer()
  await client.publish(authEvent(who, { relay: relays.strict.address, challenge: await client.challenge() }), 'AUTH')
  return { client, who }
}

export function describeLimits(): void {
  const sleeper = {} as { client: WireClient; pinged: Promise<unknown> }
  beforeAll(async () => {
    sleeper.client = await relays.strict.client()
    sleeper.pinged = new Promise((resolve) => sleeper.client.socket.on('ping', resolve))
  })

  describe('the time of an event', () => {
    test.each([
      ['now', 1, 0, ''],
      ['a quarter of an hour ahead', 1, 900, ''],
      ['beyond that', 1, 903, LATE],
      ['a year ahead', 1, 31_536_000, LATE],
      ['two days back, as gift wraps are', 1059, -172_800, ''],
      ['a week back', 1, -604_800, ''],
      ['a year back', 1, -31_536_000, ''],
      ['nearly three years back', 1, 5 - YEARS, ''],
      ['three years back and a second', 1, -1 - YEARS, EARLY],
      ['ephemeral and of now', 20_000, 0, ''],
      ['ephemeral and of the last minute', 20_000, -50, ''],
      ['ephemeral and older', 20_000, -61, OVER],
      ['ephemeral of the last kind, and older', 29_999, -61, OVER],
      ['addressable and older', 30_000, -61, ''],
    ])('%s', async (_what, kind, ahead, text) => {
      const client = await relays.open.client()
      const tags = kind === 1059 ? [['p', person('recipient').pubkey]] : []
      const event = writer().event({ kind, created_at: now() + ahead, tags })
      expect(await client.publish(event)).toEqual([text === '', text])
    })

    test.each([
      ['1970', 0],
      ['before Nostr', 1_500_000_000],
    ])('%s is too early', async (_what, created_at) => {
      expect(await (await relays.open.client()).publish(writer().event({ created_at }))).toEqual([false, EARLY])
    })

    test('more than 32 bits of seconds are no time', async () => {
      const event = writer().event({ created_at: 2 ** 32 })
      const text = 'invalid: created_at is not a number of seconds'
      expect(await (await relays.open.client()).publish(event)).toEqual([false, text])
    })

    test('the last second of 32 bits is a time, and too late', async () => {
      const event = writer().event({ created_at: 2 ** 32 - 1 })
      expect(await (await relays.open.client()).publish(event)).toEqual([false, LATE])
    })
  })

  describe('the size of an event', () => {
    test.each([
      ['a byte below the bound', 131_071, ''],
      ['at the bound', 131_072, ''],
      ['a byte above it', 131_073, 'invalid: event too large'],
      ['far above it', 200_000, 'invalid: content too large'],
    ])('%s', async (_what, bytes, text) => {
      const client = await relays.open.client()
      expect(await client.publish(eventOfBytes(writer(), bytes))).toEqual([text === '', text])
    })

    test('is that of the event without blanks, escapes and members that are not needed', async () => {
      const client = await relays.open.client()
      const event = eventOfBytes(writer(), 131_072)
      client.send(JSON.stringify(['EVENT', { ...event, more: 'x'.repeat(50_000) }], undefined, 2))
      expect(await client.next()).toEqual(['OK', event.id, true, ''])
    })

    test('in characters differs from that in bytes', async () => {
      const client = await relays.open.client()
      const event = writer().event({ content: '🐢'.repeat(30_000) })
      expect(await client.publish(event)).toEqual([true, ''])
      const large = writer().event({ content: '🐢'.repeat(33_000) })
      expect(await client.publish(large)).toEqual([false, 'invalid: event too large'])
    })
  })

  describe('the tags of an event', () => {
    test.each([
      ['1999', many(1999), ''],
      ['2000', many(2000), ''],
      ['2001', many(2001), 'invalid: too many tags'],
      ['a value of 1023 bytes', [['t', 'x'.repeat(1023)]], ''],
      ['a value of 1024 bytes', [['t', 'x'.repeat(1024)]], ''],
      ['a value of 1025 bytes', [['t', 'x'.repeat(1025)]], 'invalid: tag value too large'],
      ['a value of 513 characters and 1026 bytes', [['t', 'é'.repeat(513)]], 'invalid: tag value too large'],
      ['a long value under a long name', [['title', 'x'.repeat(5000)]], ''],
      ['a long value in the third place', [['t', 'x', 'y'.repeat(5000)]], ''],
      ['a tag of one word', [['t']], ''],
      ['a tag with an empty name', [['', 'x']], ''],
      ['a tag of a hundred words', [Array.from({ length: 100 }, () => 'w')], ''],
    ])('%s', async (_what, tags, text) => {
      const client = await relays.open.client()
      expect(await client.publish(writer().event({ tags }))).toEqual([text === '', text])
    })
  })

  describe('the length of a message', () => {
    const padded = (bytes: number): string => `["CLOSE","s"${' '.repeat(bytes - 13)}]`

    test('a message at the bound is read', async () => {
      const client = await relays.open.client()
      await client.expects(padded(262_144), [])
    })

    test('a byte more ends the connection with 1009', async () => {
      const client = await relays.open.client()
      client.send(padded(262_145))
      expect(await client.ended).toBe(1009)
    })

    test('many parts of one message count together', async () => {
      const client = await relays.open.client()
      client.socket.send(padded(200_000).slice(0, -1), { fin: false })
      client.socket.send(' '.repeat(62_146), { fin: true })
      expect(await client.ended).toBe(1009)
    })
  })

  describe('subscriptions and filters', () => {
    test('twenty stand at once, the next one is closed, and another may follow where one has ended', async () => {
      const client = await relays.open.client()
      for (let n = 0; n < 20; n++) await client.expects(['REQ', `s${n}`, { ids: [] }], [['EOSE', `s${n}`]])
      const full = [['CLOSED', 's20', 'rate-limited: too many subscriptions']]
      await client.expects(['REQ', 's20', { ids: [] }], full)
      await client.expects(['REQ', 's19', { ids: [] }], [['EOSE', 's19']])
      client.send(['CLOSE', 's3'])
      await client.expects(['REQ', 's20', { ids: [] }], [['EOSE', 's20']])
    })

    const filters = (count: number) => Array.from({ length: count }, () => ({ ids: [] }))
    const ids = (count: number) => Array.from({ length: count }, (_, n) => n.toString(16).padStart(64, '0'))
    test.each([
      ['200 filters', filters(200), [['EOSE', 's']]],
      ['201 filters', filters(201), [['CLOSED', 's', 'invalid: too many filters']]],
    ])('%s', async (_what, asked, answers) => {
      await (await relays.open.client()).expects(['REQ', 's', ...asked], answers)
    })

    test('more values in one filter than fit are refused', async () => {
      const client = await relays.strict.client()
      await client.expects(['REQ', 's', { ids: ids(5) }], [['EOSE', 's']])
      await client.expects(['REQ', 's', { ids: ids(6) }], [['CLOSED', 's', 'invalid: too many values, with ids']])
      await client.expects(
        ['REQ', 's', { ids: ids(3), kinds: [1, 2, 3] }],
        [['CLOSED', 's', 'invalid: too many values, with kinds']],
      )
    })
  })

  describe('limits that were set', () => {
    test('content, tags, tag values and size of an event', async () => {
      const { client, who } = await trusted()
      const fits = [['t', 'x'.repeat(10)], ['long name', 'x'.repeat(50)], ['u']]
      expect(await client.publish(who.event({ content: '🐢'.repeat(20), tags: fits }))).toEqual([true, ''])
      expect(await client.publish(who.event({ content: 'x'.repeat(21) }))).toEqual([
        false,
        'invalid: content too large',
      ])
      expect(await client.publish(who.event({ content: '', tags: many(4) }))).toEqual([false, 'invalid: too many tags'])
      expect(await client.publish(who.event({ content: '', tags: [['t', 'x'.repeat(11)]] }))).toEqual([
        false,
        'invalid: tag value too large',
      ])
      expect(await client.publish(who.event({ content: '', tags: [['long', 'x'.repeat(2000)]] }))).toEqual([
        false,
        'invalid: event too large',
      ])
    })

    test('events a minute', async () => {
      const { client, who } = await trusted()
      for (let n = 0; n < 6; n++) expect(await client.publish(who.event({ content: `${n}` }))).toEqual([true, ''])
      expect(await client.publish(who.event({ content: '' }))).toEqual([
        false,
        'rate-limited: too many events a minute',
      ])
    })

    test('subscriptions a minute, counts among them', async () => {
      const client = await relays.strict.client()
      for (let n = 0; n < 8; n++) await client.expects(['REQ', 's', { ids: [] }], [['EOSE', 's']])
      const text = 'rate-limited: too many subscriptions a minute'
      await client.expects(['REQ', 's', { ids: [] }], [['CLOSED', 's', text]])
    })

    test('subscriptions, filters and the events of an answer', async () => {
      const { client, who } = await trusted()
      const events = [1, 2, 3, 4].map((n) => who.event({ content: `${n}`, created_at: now() - n }))
      await client.store(...events)
      const by = { authors: [who.pubkey] }
      expect(await client.ids(by)).toHaveLength(2)
      expect(await client.ids({ ...by, limit: 3 })).toHaveLength(3)
      expect(await client.ids({ ...by, limit: 4 })).toHaveLength(3)
      const text = 'invalid: too many filters'
      await client.expects(['REQ', 's', by, by, by], [['CLOSED', 's', text]])
      expect(await client.count(by)).toEqual({ count: 2, limited: true })
      expect(await client.count({ ...by, kinds: [7] })).toEqual({ count: 0 })
    })

    test('a message beyond its bound ends the connection', async () => {
      const client = await relays.strict.client()
      client.send(`["CLOSE","${'x'.repeat(4085)}"]`)
      expect(await client.ended).toBe(1009)
    })

    test('two keys are proven, the third is refused', async () => {
      const client = await relays.strict.client()
      const challenge = await client.challenge()
      const proof = () => authEvent(writer(), { relay: relays.strict.address, challenge })
      for (const _ of [1, 2]) expect(await client.publish(proof(), 'AUTH')).toEqual([true, ''])
      expect(await client.publish(proof(), 'AUTH')).toEqual([false, 'invalid: too many keys on this connection'])
    })

    test('who says nothing is asked in time, and stays when it answers', async () => {
      await sleeper.pinged
      await sleeper.client.isQuiet()
    })
  })
}
