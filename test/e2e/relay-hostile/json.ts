// JSON that is deep, double, broken or beyond numbers, and texts that are no text.
import { describe, expect, test } from 'vitest'
import { writer } from '../../support/wire-people.js'
import { targets } from './targets.js'

const NO_LIST = ['NOTICE', 'invalid: message is not a JSON list']
const NO_UTF8 = ['NOTICE', 'invalid: message is not UTF-8']
const DEEP = 200_000
const nested = (open: string, close: string) => open.repeat(DEEP) + close.repeat(DEEP)

export function describeJson(): void {
  describe('JSON', () => {
    test.each([
      ['lists in lists', nested('[', ']'), ['NOTICE', 'invalid: message does not begin with a command']],
      ['lists that do not end', '['.repeat(DEEP), NO_LIST],
      ['objects in objects', `["REQ","s",{"ids":[],"a":${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}}]`, ['EOSE', 's']],
      [
        'a filter of deep lists',
        `["REQ","s",{"ids":${nested('[', ']')}}]`,
        ['CLOSED', 's', 'invalid: ids holds 64 lower-case hex digits, not a list'],
      ],
      [
        'an event of deep tags',
        `["EVENT",{"id":"x","tags":${nested('[', ']')}}]`,
        ['OK', 'x', false, 'invalid: id is not 64 lower-case hex characters'],
      ],
      [
        'a name of a subscription that is deep',
        `["REQ",${nested('[', ']')},{}]`,
        ['NOTICE', 'invalid: a subscription id is a text of 1 to 64 characters'],
      ],
      ['a command that is long', `["${'x'.repeat(1_000_000)}"]`, ['NOTICE', 'invalid: unknown command']],
      [
        'a million numbers',
        `["REQ","s",{"kinds":[${'1,'.repeat(900_000)}1]}]`,
        ['CLOSED', 's', 'invalid: too many values, with kinds'],
      ],
      [
        'a number beyond all',
        '["REQ","s",{"limit":1e400}]',
        ['CLOSED', 's', 'invalid: limit is a whole number from 0 on, not Infinity'],
      ],
      [
        'a kind beyond all',
        '["REQ","s",{"kinds":[1e400]}]',
        ['CLOSED', 's', 'invalid: kinds holds whole numbers from 0 to 65535, not Infinity'],
      ],
      ['a negative zero', '["REQ","s",{"since":-0,"ids":[]}]', ['EOSE', 's']],
      [
        'a time of 17 digits',
        '["REQ","s",{"since":99999999999999999}]',
        ['CLOSED', 's', 'invalid: since is a whole number from 0 on, not 100000000000000000'],
      ],
      [
        'a member of objects in general',
        '["REQ","s",{"__proto__":{"ids":["x"]},"constructor":{"kinds":1},"ids":[]}]',
        ['EOSE', 's'],
      ],
      ['the same member twice', '["REQ","s",{"kinds":["x"],"kinds":[],"kinds":[]}]', ['EOSE', 's']],
      ['a comment', '["REQ","s",{}]//', NO_LIST],
      ['a comma at the end', '["REQ","s",{},]', NO_LIST],
      ['other quotes', "['REQ','s',{}]", NO_LIST],
      ['no number at all', '["REQ","s",{"limit":NaN}]', NO_LIST],
      ['a line break in a text', '["REQ","s\n",{}]', NO_LIST],
      ['a mark of order', '\ufeff["REQ","s",{}]', NO_LIST],
    ])('%s', async (_what, text, answer) => {
      const client = await targets.relay.client()
      await client.expects(text, [answer])
    })

    test('of an event with members twice is that of the last ones', async () => {
      const client = await targets.relay.client()
      const event = writer().event()
      const double = JSON.stringify(event).replace('{', '{"content":"another","id":"x","kind":"1","sig":0,')
      await client.expects(`["EVENT",${double}]`, [['OK', event.id, true, '']])
      const wrong = JSON.stringify(event).replace(/}$/, ',"content":"another"}')
      await client.expects(`["EVENT",${wrong}]`, [['OK', event.id, false, 'invalid: id is not that of the content']])
      client.send(['REQ', 's', { ids: [event.id] }])
      expect(await client.next()).toEqual(['EVENT', 's', event])
    })
  })

  describe('texts that are no UTF-8', () => {
    const before = Buffer.from('["REQ","')
    const after = Buffer.from('",{"ids":[]}]')
    test.each([
      ['a byte that is none', [0xff]],
      ['half a character', [0xc3]],
      ['a rest without beginning', [0x80]],
      ['a slash written too long', [0xc0, 0xaf]],
      ['a null written too long', [0xe0, 0x80, 0x80]],
      ['half a surrogate pair', [0xed, 0xa0, 0x80]],
      ['a pair as two characters', [0xed, 0xa0, 0xbd, 0xed, 0xb0, 0xa2]],
      ['beyond the last character', [0xf4, 0x90, 0x80, 0x80]],
      ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
    ])('%s', async (_what, bytes) => {
      const client = await targets.relay.client()
      client.socket.send(Buffer.concat([before, Buffer.from(bytes), after]), { binary: false })
      expect(await client.next()).toEqual(NO_UTF8)
      await client.isQuiet()
    })

    test('half a pair as an escape names a subscription, and is answered in UTF-8', async () => {
      const client = await targets.relay.client()
      client.send('["REQ","\\ud800",{"ids":[]}]')
      const [verb] = await client.next()
      expect(['EOSE', 'CLOSED', 'NOTICE']).toContain(verb)
      await client.isQuiet()
    })
  })
}
