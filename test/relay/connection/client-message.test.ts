// Every message of a client and what it is answered (specification: relay, 4), over a session whose connection is a list.
import { expect, test } from 'vitest'
import type { NostrEvent } from '../../../src/nostr/event/index.js'
import { anEvent, relaySettings, SECONDS } from '../../support/relay-parts.js'
import { aSession } from '../../support/relay-session.js'

const NOTE = anEvent('anna')
const HEX = 'a'.repeat(64)
const tampered = (change: Partial<NostrEvent>): unknown => ({ ...NOTE, ...change })

interface Row {
  readonly what: string
  readonly message: unknown
  readonly answers: readonly (readonly unknown[])[]
}

const refused = (text: string, id: unknown = NOTE.id) => [['OK', id, false, text]]
const notice = (text: string) => [['NOTICE', text]]

const ROWS: readonly Row[] = [
  { what: 'an event', message: ['EVENT', NOTE], answers: [['OK', NOTE.id, true, '']] },
  { what: 'EVENT without an event', message: ['EVENT'], answers: refused('invalid: an event is an object', '?') },
  { what: 'a list for an event', message: ['EVENT', [NOTE]], answers: refused('invalid: an event is an object', '?') },
  {
    what: 'an id in capitals',
    message: ['EVENT', tampered({ id: 'A'.repeat(64) })],
    answers: refused('invalid: id is not 64 lower-case hex characters', 'A'.repeat(64)),
  },
  {
    what: 'an id that is too long',
    message: ['EVENT', tampered({ id: `${HEX}a` })],
    answers: refused('invalid: id is not 64 lower-case hex characters', '?'),
  },
  {
    what: 'no key',
    message: ['EVENT', { ...NOTE, pubkey: undefined }],
    answers: refused('invalid: pubkey is not 64 lower-case hex characters'),
  },
  {
    what: 'a time in quotes',
    message: ['EVENT', { ...NOTE, created_at: String(NOTE.created_at) }],
    answers: refused('invalid: created_at is not a number of seconds'),
  },
  {
    what: 'half a second',
    message: ['EVENT', tampered({ created_at: SECONDS + 0.5 })],
    answers: refused('invalid: created_at is not a number of seconds'),
  },
  {
    what: 'a time before 1970',
    message: ['EVENT', tampered({ created_at: -1 })],
    answers: refused('invalid: created_at is not a number of seconds'),
  },
  {
    what: 'a kind beyond 16 bits',
    message: ['EVENT', tampered({ kind: 65_536 })],
    answers: refused('invalid: kind is not an integer from 0 to 65535'),
  },
  {
    what: 'a kind in quotes',
    message: ['EVENT', { ...NOTE, kind: '1' }],
    answers: refused('invalid: kind is not an integer from 0 to 65535'),
  },
  {
    what: 'no content',
    message: ['EVENT', { ...NOTE, content: null }],
    answers: refused('invalid: content is not a text'),
  },
  {
    what: 'half of a character',
    message: ['EVENT', tampered({ content: '\ud800' })],
    answers: refused('invalid: content is not a text'),
  },
  {
    what: 'tags that are an object',
    message: ['EVENT', { ...NOTE, tags: {} }],
    answers: refused('invalid: tags are not a list'),
  },
  {
    what: 'a tag that is a text',
    message: ['EVENT', { ...NOTE, tags: ['p'] }],
    answers: refused('invalid: a tag is a list of texts'),
  },
  {
    what: 'a number in a tag',
    message: ['EVENT', { ...NOTE, tags: [['p', 1]] }],
    answers: refused('invalid: a tag is a list of texts'),
  },
  {
    what: 'no signature',
    message: ['EVENT', { ...NOTE, sig: '' }],
    answers: refused('invalid: sig is not 128 lower-case hex characters'),
  },
  {
    what: 'another content under the same id',
    message: ['EVENT', tampered({ content: 'bye' })],
    answers: refused('invalid: id is not that of the content'),
  },
  {
    what: "another event's signature",
    message: ['EVENT', tampered({ sig: anEvent('ben').sig })],
    answers: refused('invalid: bad signature'),
  },
  { what: 'an unknown command', message: ['HELLO', 1], answers: notice('invalid: unknown command') },
  { what: 'an empty list', message: [], answers: notice('invalid: message does not begin with a command') },
  {
    what: 'a number as command',
    message: [1, NOTE],
    answers: notice('invalid: message does not begin with a command'),
  },
  { what: 'an object', message: { EVENT: NOTE }, answers: notice('invalid: message is not a JSON list') },
  { what: 'a text', message: 'EVENT', answers: notice('invalid: message is not a JSON list') },
  { what: 'a REQ', message: ['REQ', 's', {}], answers: [['EOSE', 's']] },
  { what: 'a REQ with nothing to find', message: ['REQ', 's', { ids: [] }], answers: [['EOSE', 's']] },
  { what: 'a search', message: ['REQ', 's', { search: 'grin' }], answers: [['EOSE', 's']] },
  { what: 'a REQ without filters', message: ['REQ', 's'], answers: [['CLOSED', 's', 'invalid: no filter']] },
  {
    what: 'a filter that is a text',
    message: ['REQ', 's', 'x'],
    answers: [['CLOSED', 's', 'invalid: a filter is an object']],
  },
  {
    what: 'a REQ without a name',
    message: ['REQ', {}],
    answers: notice('invalid: a subscription id is a text of 1 to 64 characters'),
  },
  {
    what: 'an empty name',
    message: ['REQ', '', {}],
    answers: [['CLOSED', '', 'invalid: a subscription id is a text of 1 to 64 characters']],
  },
  {
    what: 'a name of 65 characters',
    message: ['REQ', 's'.repeat(65), {}],
    answers: [['CLOSED', 's'.repeat(65), 'invalid: a subscription id is a text of 1 to 64 characters']],
  },
  {
    what: 'a name of 64 characters beyond ASCII',
    message: ['REQ', '🐢'.repeat(64), {}],
    answers: [['EOSE', '🐢'.repeat(64)]],
  },
  {
    what: 'a name that is longer than anything',
    message: ['REQ', 's'.repeat(10_000), {}],
    answers: notice('invalid: a subscription id is a text of 1 to 64 characters'),
  },
  { what: 'CLOSE of nothing', message: ['CLOSE', 'unknown'], answers: [] },
  { what: 'CLOSE without a name', message: ['CLOSE', 7], answers: notice('invalid: CLOSE needs a subscription id') },
  { what: 'a COUNT', message: ['COUNT', 'c', { kinds: [1] }], answers: [['COUNT', 'c', { count: 0 }]] },
  { what: 'a COUNT without filters', message: ['COUNT', 'c'], answers: [['CLOSED', 'c', 'invalid: no filter']] },
  { what: 'AUTH while it is off', message: ['AUTH', NOTE], answers: refused('invalid: auth not enabled') },
  {
    what: 'an AUTH event for everybody',
    message: ['EVENT', anEvent('anna', { kind: 22_242 })],
    answers: refused('blocked: an AUTH event is for nobody else', anEvent('anna', { kind: 22_242 }).id),
  },
]

/** Its content has a raw line break and a raw tab, so the message is no JSON. */
const BROKEN = anEvent('anna', { content: 'two\nlines\tand "quotes" of {"id":"x"}' })
const brokenText = () => JSON.stringify(['EVENT', BROKEN]).replace('\\n', '\n').replace('\\t', '\t')

test.each([
  ['raw control characters', brokenText()],
  ['blanks before it', ` [ "EVENT" , ${brokenText().slice('["EVENT",'.length)}`],
  ['an end that is missing', JSON.stringify(['EVENT', NOTE]).slice(0, -1).replaceAll(NOTE.id, BROKEN.id)],
])('an event in a message that is no JSON is answered by its id: %s', async (_what, text) => {
  const { say, answered } = aSession()
  say(Buffer.from(text))
  const why = 'invalid: not valid JSON (control characters in texts must be escaped)'
  expect(await answered()).toEqual(refused(why, BROKEN.id))
})

test.each([
  ['no id', '["EVENT",{"content":"a\nb"}]'],
  ['a short id', '["EVENT",{"id":"aa","content":"a\nb"}]'],
  ['another command', brokenText().replace('EVENT', 'REQ')],
])('a message that is no JSON gets a NOTICE where it names no event: %s', async (_what, text) => {
  const { say, answered } = aSession()
  say(Buffer.from(text))
  expect(await answered()).toEqual(notice('invalid: message is not a JSON list'))
})

test('an event in a message that is no JSON counts as an event of that minute', async () => {
  const { say, answered } = aSession({ settings: relaySettings({ limits: { eventsPerMinute: 1 } }) })
  for (let times = 0; times < 2; times++) say(Buffer.from(brokenText()))
  const [, second] = await answered()
  expect(second).toEqual(['OK', BROKEN.id, false, 'rate-limited: too many events a minute'])
})

test.each([[[[]]], [[[], ['t', 'x'], []]]])('an event with empty tags is accepted: %j', async (tags) => {
  const { say, answered } = aSession()
  const event = anEvent('anna', { tags })
  say(['EVENT', event])
  expect(await answered()).toEqual([['OK', event.id, true, '']])
})

test.each(ROWS)('$what', async ({ message, answers }) => {
  const { say, answered } = aSession()
  say(message)
  expect(await answered()).toEqual(answers)
})
