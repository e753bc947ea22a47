// Every message of a client and its exact answer (specification: relay, 4).
import { describe, expect, test } from 'vitest'
import { inOrder, now, person, wrapFor, writer } from '../../support/wire-people.js'
import { relays } from './relays.js'

const UNKNOWN = ['NOTICE', 'invalid: unknown command']
const NO_LIST = ['NOTICE', 'invalid: message is not a JSON list']
const NO_COMMAND = ['NOTICE', 'invalid: message does not begin with a command']
const GOOD = writer().event({ content: 'a good event' })
const { sig: _, ...UNSIGNED } = GOOD
const LONG = 'x'.repeat(64)
const KEY_TEXT = 'invalid: pubkey is not 64 lower-case hex characters'
const ID_TEXT = 'invalid: id is not 64 lower-case hex characters'
const SIG_TEXT = 'invalid: sig is not 128 lower-case hex characters'
const TIME_TEXT = 'invalid: created_at is not a number of seconds'
const KIND_TEXT = 'invalid: kind is not an integer from 0 to 65535'
const TAGS_TEXT = 'invalid: tags are not a list'
const TAG_TEXT = 'invalid: a tag is a list of texts'
const CONTENT_TEXT = 'invalid: content is not a text'
const BAD_ID = 'invalid: id is not that of the content'
const BAD_SIGNATURE = 'invalid: bad signature'

export function describeMessages(): void {
  describe('what is no message', () => {
    test.each([
      ['an unknown command', '["HELLO",1]', UNKNOWN],
      ['a command in lower case', '["req","s",{}]', UNKNOWN],
      ['a command of the relay', '["EOSE","s"]', UNKNOWN],
      ['an empty text', '', NO_LIST],
      ['no JSON', '["REQ","s",{}', NO_LIST],
      ['two messages in one', '["CLOSE","s"]["CLOSE","s"]', NO_LIST],
      ['an object', '{"0":"REQ"}', NO_LIST],
      ['a text', '"REQ"', NO_LIST],
      ['a number', '1', NO_LIST],
      ['nothing', 'null', NO_LIST],
      ['an empty list', '[]', NO_COMMAND],
      ['a list that begins with a number', '[1,"s",{}]', NO_COMMAND],
      ['a list that begins with a list', '[["REQ"],"s",{}]', NO_COMMAND],
      ['an event alone', JSON.stringify(GOOD), NO_LIST],
      ['a text after a null character', '\u0000["CLOSE","s"]', NO_LIST],
    ])('%s is answered with a NOTICE', async (_what, text, answer) => {
      const client = await relays.open.client()
      await client.expects(text, [answer])
    })

    test('a binary frame is answered with a NOTICE', async () => {
      const client = await relays.open.client()
      client.socket.send(Buffer.from('["CLOSE","s"]'), { binary: true })
      expect(await client.next()).toEqual(['NOTICE', 'invalid: binary messages are not accepted'])
      await client.isQuiet()
    })

    test('a text that is no UTF-8 is answered with a NOTICE', async () => {
      const client = await relays.open.client()
      client.socket.send(Buffer.from([0x5b, 0x22, 0xff, 0xfe, 0x22, 0x5d]), { binary: false })
      expect(await client.next()).toEqual(['NOTICE', 'invalid: message is not UTF-8'])
      await client.isQuiet()
    })

    test('blanks around and inside a message are no mistake', async () => {
      const client = await relays.open.client()
      await client.expects(' \n[ "REQ" ,\t"s", { "ids" : [] } ]\r\n', [['EOSE', 's']])
    })
  })

  describe('EVENT', () => {
    test('that is new is stored', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      await client.expects(['EVENT', event], [['OK', event.id, true, '']])
      expect(await client.ids({ ids: [event.id] })).toEqual([event.id])
    })

    test('that is known is a duplicate from every connection', async () => {
      const event = writer().event()
      await (await relays.open.client()).store(event)
      const client = await relays.open.client()
      await client.expects(['EVENT', event], [['OK', event.id, true, 'duplicate: have this event']])
    })

    test('with more members in the message is taken all the same', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      await client.expects(['EVENT', event, 'more'], [['OK', event.id, true, '']])
    })

    test('with unknown members is stored without them', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      await client.expects(['EVENT', { seen: true, ...event, relays: ['x'] }], [['OK', event.id, true, '']])
      client.send(['REQ', 's', { ids: [event.id] }])
      expect(await client.next()).toEqual(['EVENT', 's', event])
    })

    test('older than the version that is stored is refused', async () => {
      const client = await relays.open.client()
      const who = writer()
      const [newer, older] = [who.event({ kind: 0 }), who.event({ kind: 0, created_at: now() - 10 })]
      await client.store(newer)
      await client.expects(['EVENT', older], [['OK', older.id, false, 'replaced: have newer event']])
    })

    test('that its author deleted is refused', async () => {
      const client = await relays.open.client()
      const who = writer()
      const event = who.event()
      await client.store(event, who.deletion([['e', event.id]]))
      await client.expects(['EVENT', event], [['OK', event.id, false, 'deleted: user requested deletion']])
    })

    test('whose time is over is refused', async () => {
      const client = await relays.open.client()
      const event = writer().event({ tags: [['expiration', String(now() - 1)]] })
      await client.expects(['EVENT', event], [['OK', event.id, false, 'invalid: event expired']])
    })

    test('of kind 22242 is refused', async () => {
      const client = await relays.open.client()
      const event = writer().event({ kind: 22_242 })
      await client.expects(['EVENT', event], [['OK', event.id, false, 'blocked: an AUTH event is for nobody else']])
    })

    test.each([
      ['missing', [], '?', 'invalid: an event is an object'],
      ['nothing', [null], '?', 'invalid: an event is an object'],
      ['a text', ['event'], '?', 'invalid: an event is an object'],
      ['a list', [[GOOD]], '?', 'invalid: an event is an object'],
      ['an empty object', [{}], '?', ID_TEXT],
      ['without signature', [UNSIGNED], GOOD.id, SIG_TEXT],
      ['with a short id', [{ ...GOOD, id: 'abc' }], 'abc', ID_TEXT],
      ['with a long id', [{ ...GOOD, id: `${GOOD.id}0` }], '?', ID_TEXT],
      ['with a number as id', [{ ...GOOD, id: 1 }], '?', ID_TEXT],
      ['with an id in capitals', [{ ...GOOD, id: 'A'.repeat(64) }], 'A'.repeat(64), ID_TEXT],
      ['with an id that is no hex', [{ ...GOOD, id: LONG }], LONG, ID_TEXT],
      ['with a key in capitals', [{ ...GOOD, pubkey: 'A'.repeat(64) }], GOOD.id, KEY_TEXT],
      ['with a short key', [{ ...GOOD, pubkey: GOOD.pubkey.slice(1) }], GOOD.id, KEY_TEXT],
      ['with a time as text', [{ ...GOOD, created_at: String(GOOD.created_at) }], GOOD.id, TIME_TEXT],
      ['with a fraction as time', [{ ...GOOD, created_at: 1.5 }], GOOD.id, TIME_TEXT],
      ['with a time before all', [{ ...GOOD, created_at: -1 }], GOOD.id, TIME_TEXT],
      ['with a time beyond all', [{ ...GOOD, created_at: 2 ** 53 }], GOOD.id, TIME_TEXT],
      ['without time', [{ ...GOOD, created_at: null }], GOOD.id, TIME_TEXT],
      ['with a kind as text', [{ ...GOOD, kind: '1' }], GOOD.id, KIND_TEXT],
      ['with a truth as kind', [{ ...GOOD, kind: true }], GOOD.id, KIND_TEXT],
      ['with a fraction as kind', [{ ...GOOD, kind: 1.5 }], GOOD.id, KIND_TEXT],
      ['with a negative kind', [{ ...GOOD, kind: -1 }], GOOD.id, KIND_TEXT],
      ['with a kind of more than 16 bits', [{ ...GOOD, kind: 65_536 }], GOOD.id, KIND_TEXT],
      ['with tags as object', [{ ...GOOD, tags: {} }], GOOD.id, TAGS_TEXT],
      ['without tags', [{ ...GOOD, tags: null }], GOOD.id, TAGS_TEXT],
      ['with a text as tag', [{ ...GOOD, tags: ['t'] }], GOOD.id, TAG_TEXT],
      ['with a number in a tag', [{ ...GOOD, tags: [['t', 1]] }], GOOD.id, TAG_TEXT],
      ['with nothing in a tag', [{ ...GOOD, tags: [['t', null]] }], GOOD.id, TAG_TEXT],
      ['with a list in a tag', [{ ...GOOD, tags: [['t', ['x']]] }], GOOD.id, TAG_TEXT],
      ['with an object as content', [{ ...GOOD, content: {} }], GOOD.id, CONTENT_TEXT],
      ['without content', [{ ...GOOD, content: null }], GOOD.id, CONTENT_TEXT],
      ['with half a character', [{ ...GOOD, content: '\ud800' }], GOOD.id, CONTENT_TEXT],
      ['with a short signature', [{ ...GOOD, sig: GOOD.sig.slice(2) }], GOOD.id, SIG_TEXT],
      ['with a signature in capitals', [{ ...GOOD, sig: 'A'.repeat(128) }], GOOD.id, SIG_TEXT],
      ['with another content', [{ ...GOOD, content: 'other' }], GOOD.id, BAD_ID],
      ['with another time', [{ ...GOOD, created_at: GOOD.created_at + 1 }], GOOD.id, BAD_ID],
      ['with another kind', [{ ...GOOD, kind: 7 }], GOOD.id, BAD_ID],
      ['with another tag', [{ ...GOOD, tags: [['t', 'x']] }], GOOD.id, BAD_ID],
      ['with another key', [{ ...GOOD, pubkey: person('other').pubkey }], GOOD.id, BAD_ID],
      ['with another id', [{ ...GOOD, id: '0'.repeat(64) }], '0'.repeat(64), BAD_ID],
      ['with a signature of zeros', [{ ...GOOD, sig: '0'.repeat(128) }], GOOD.id, BAD_SIGNATURE],
      ['with the signature of another event', [{ ...GOOD, sig: writer().event().sig }], GOOD.id, BAD_SIGNATURE],
    ])('%s is refused', async (_what, rest, id, text) => {
      const client = await relays.open.client()
      await client.expects(['EVENT', ...rest], [['OK', id, false, text]])
    })

    test('that was refused is not stored, and the right one still is', async () => {
      const client = await relays.open.client()
      expect(await client.ids({ ids: [GOOD.id] })).toEqual([])
      await client.store(GOOD)
    })

    test('that comes several times in one breath is stored once', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      for (let times = 0; times < 3; times++) client.send(['EVENT', event])
      const texts = (await client.take(3)).map(([, , accepted, text]) => [accepted, text])
      const known = [true, 'duplicate: have this event']
      expect(texts.sort()).toEqual([[true, ''], known, known])
      expect(await client.count({ ids: [event.id] })).toEqual({ count: 1 })
    })

    test('in one breath with its deletion is gone, in whichever order they come', async () => {
      const client = await relays.open.client()
      for (const isFirst of [true, false]) {
        const who = writer()
        const event = who.event()
        const both = [event, who.deletion([['e', event.id]])]
        for (const one of isFirst ? both : both.reverse()) client.send(['EVENT', one])
        await client.take(2)
        expect(await client.ids({ ids: [event.id] })).toEqual([])
      }
    })

    test('after event: three hundred in one breath are all answered, and all there', async () => {
      const client = await relays.open.client()
      const who = writer()
      const events = Array.from({ length: 300 }, (_, n) => who.event({ kind: 9, created_at: now() - n }))
      for (const event of events) client.send(['EVENT', event])
      const answers = await client.take(300)
      expect(new Set(answers.map(([, id]) => id)).size).toBe(300)
      expect(answers.every(([verb, , accepted, text]) => verb === 'OK' && accepted === true && text === '')).toBe(true)
      expect(await client.ids({ authors: [who.pubkey] })).toEqual(inOrder(events))
    })

    test('that is ephemeral is passed on and not stored', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const event = writer().event({ kind: 20_001 })
      await reader.expects(['REQ', 's', { authors: [event.pubkey] }], [['EOSE', 's']])
      await client.expects(['EVENT', event], [['OK', event.id, true, '']])
      expect(await reader.next()).toEqual(['EVENT', 's', event])
      expect(await client.ids({ ids: [event.id] })).toEqual([])
    })
  })

  describe('REQ', () => {
    test('has what is stored newest first, then EOSE, then what comes', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const who = writer()
      const old = [3, 1, 2].map((back) => who.event({ created_at: now() - back }))
      await client.store(...old)
      reader.send(['REQ', 's', { authors: [who.pubkey] }])
      const stored = await reader.until('EOSE')
      expect(stored.map(([verb, sub]) => [verb, sub])).toEqual([...old.map(() => ['EVENT', 's']), ['EOSE', 's']])
      expect(stored.slice(0, 3).map(([, , event]) => (event as { id: string }).id)).toEqual(inOrder(old))
      const fresh = who.event()
      await client.store(fresh)
      expect(await reader.next()).toEqual(['EVENT', 's', fresh])
    })

    test('gives an event that comes in to each subscription that it fits, once', async () => {
      const [client, reader] = [await relays.open.client(), await relays.open.client()]
      const event = writer().event({ tags: [['t', 'both']] })
      await reader.expects(['REQ', 'a', { authors: [event.pubkey] }, { '#t': ['both'] }], [['EOSE', 'a']])
      await reader.expects(['REQ', 'b', { ids: [event.id] }], [['EOSE', 'b']])
      await reader.expects(['REQ', 'c', { ids: [event.id], kinds: [2] }], [['EOSE', 'c']])
      await client.store(event)
      const seen = [...(await reader.take(2))].map(([, sub]) => sub).sort()
      expect(seen).toEqual(['a', 'b'])
      await reader.isQuiet()
    })

    test('of the same name replaces, and has an EOSE in any case', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      const filter = { authors: [event.pubkey] }
      await client.expects(['REQ', 's', filter], [['EOSE', 's']])
      await client.expects(['REQ', 's', filter], [['EOSE', 's']])
      await client.expects(['REQ', 's', { kinds: [29_999] }], [['EOSE', 's']])
      await client.expects(['EVENT', event], [['OK', event.id, true, '']])
    })

    test('goes on after EOSE although its events are complete', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      await client.expects(['REQ', 's', { ids: [event.id] }], [['EOSE', 's']])
      await client.expects(
        ['EVENT', event],
        [
          ['OK', event.id, true, ''],
          ['EVENT', 's', event],
        ],
      )
    })

    const tooLong = 'invalid: a subscription id is a text of 1 to 64 characters'
    test.each([
      ['one character', 'x', [['EOSE', 'x']]],
      ['64 characters', LONG, [['EOSE', LONG]]],
      ['64 characters of four bytes', '🐢'.repeat(64), [['EOSE', '🐢'.repeat(64)]]],
      ['quotes, strokes and a line break', '"\\\n\u0000', [['EOSE', '"\\\n\u0000']]],
      ['no character', '', [['CLOSED', '', tooLong]]],
      ['65 characters', `${LONG}x`, [['CLOSED', `${LONG}x`, tooLong]]],
      ['65 characters of four bytes', '🐢'.repeat(65), [['CLOSED', '🐢'.repeat(65), tooLong]]],
      ['a thousand characters', 'x'.repeat(1000), [['NOTICE', tooLong]]],
      ['a number', 7, [['NOTICE', tooLong]]],
      ['nothing', null, [['NOTICE', tooLong]]],
    ])('with a name of %s', async (_what, name, answers) => {
      const client = await relays.open.client()
      await client.expects(['REQ', name, { ids: [] }], answers)
    })

    test('without a name is answered with a NOTICE', async () => {
      await (await relays.open.client()).expects(['REQ'], [['NOTICE', tooLong]])
    })

    test.each([
      ['no filter', [], 'no filter'],
      ['a text', ['x'], 'a filter is an object'],
      ['a list', [[]], 'a filter is an object'],
      ['nothing', [null], 'a filter is an object'],
      ['a good one and a bad one', [{}, 1], 'a filter is an object'],
      ['ids that are no list', [{ ids: 'x' }], 'ids is a list, not "x"'],
      ['the beginning of an id', [{ ids: ['abcd'] }], 'ids holds 64 lower-case hex digits, not "abcd"'],
      ['an id in capitals', [{ ids: ['A'.repeat(64)] }], `ids holds 64 lower-case hex digits, not "${'A'.repeat(40)}"`],
      ['the beginning of a key', [{ authors: ['ab'] }], 'authors holds 64 lower-case hex digits, not "ab"'],
      ['a number as key', [{ authors: [1] }], 'authors holds 64 lower-case hex digits, not 1'],
      ['a kind as text', [{ kinds: ['1'] }], 'kinds holds whole numbers from 0 to 65535, not "1"'],
      ['a kind of 17 bits', [{ kinds: [65_536] }], 'kinds holds whole numbers from 0 to 65535, not 65536'],
      ['a negative kind', [{ kinds: [-1] }], 'kinds holds whole numbers from 0 to 65535, not -1'],
      ['a fraction as kind', [{ kinds: [1.5] }], 'kinds holds whole numbers from 0 to 65535, not 1.5'],
      ['a time as text', [{ since: '1' }], 'since is a whole number from 0 on, not "1"'],
      ['a negative time', [{ until: -1 }], 'until is a whole number from 0 on, not -1'],
      ['a limit as text', [{ limit: '5' }], 'limit is a whole number from 0 on, not "5"'],
      ['a negative limit', [{ limit: -1 }], 'limit is a whole number from 0 on, not -1'],
      ['no limit', [{ limit: null }], 'limit is a whole number from 0 on, not null'],
      ['a short #e', [{ '#e': ['ab'] }], '#e holds 64 lower-case hex digits, not "ab"'],
      ['a short #p', [{ '#p': ['ab'] }], '#p holds 64 lower-case hex digits, not "ab"'],
      ['a number as tag', [{ '#t': [1] }], '#t holds texts, not 1'],
      ['an object as tag', [{ '#t': {} }], '#t is a list, not an object'],
    ])('with %s is closed with the reason', async (_what, filters, text) => {
      const client = await relays.open.client()
      await client.expects(['REQ', 's', ...filters], [['CLOSED', 's', `invalid: ${text}`]])
    })

    test('that is bad leaves the one of its name as it was', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      await client.expects(['REQ', 's', { authors: [event.pubkey] }], [['EOSE', 's']])
      client.send(['REQ', 's', { kinds: ['x'] }])
      expect((await client.next()).slice(0, 2)).toEqual(['CLOSED', 's'])
      await client.expects(['EVENT', event], [['OK', event.id, true, '']])
    })

    test('gives gift wraps to anybody, as nothing else is set', async () => {
      const client = await relays.open.client()
      const recipient = person('reader of everything')
      const wrap = wrapFor(recipient.pubkey)
      await client.store(wrap)
      expect(await client.ids({ kinds: [1059], '#p': [recipient.pubkey], since: now() - 259_200 })).toEqual([wrap.id])
      expect(await client.ids({ kinds: [1059], '#p': [recipient.pubkey], ids: [wrap.id], limit: 1 })).toEqual([wrap.id])
    })
  })

  describe('CLOSE', () => {
    test('ends a subscription in silence', async () => {
      const client = await relays.open.client()
      const event = writer().event()
      await client.expects(['REQ', 's', { authors: [event.pubkey] }], [['EOSE', 's']])
      await client.expects(['CLOSE', 's'], [])
      await client.expects(['EVENT', event], [['OK', event.id, true, '']])
    })

    test.each([
      ['unknown', 'nobody knows'],
      ['too long', 'x'.repeat(300)],
      ['empty', ''],
    ])('of a name that is %s is silent', async (_what, name) => {
      await (await relays.open.client()).expects(['CLOSE', name], [])
    })

    test.each([
      ['a number', [5]],
      ['nothing at all', []],
    ])('of %s is answered with a NOTICE', async (_what, rest) => {
      const client = await relays.open.client()
      await client.expects(['CLOSE', ...rest], [['NOTICE', 'invalid: CLOSE needs a subscription id']])
    })
  })

  test('AUTH is refused while authentication is off', async () => {
    const client = await relays.open.client()
    const event = writer().event({
      kind: 22_242,
      tags: [
        ['relay', relays.open.address],
        ['challenge', 'x'],
      ],
    })
    await client.expects(['AUTH', event], [['OK', event.id, false, 'invalid: auth not enabled']])
    await client.expects(['AUTH', 'x'], [['OK', '?', false, 'invalid: auth not enabled']])
  })

  test('where authentication is off, no challenge comes', async () => {
    await (await relays.open.client({ keepsChallenge: true })).isQuiet()
  })
}
