import fc from 'fast-check'
import { finalizeEvent, getEventHash, verifyEvent } from 'nostr-tools/pure'
import { describe, expect, test } from 'vitest'
import { eventId, hasTrueId, isGenuine, type NostrEvent, parseEvent, signEvent } from '../../src/nostr/event/index.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'

const { secret, pubkey } = keyPairOf('an author')
const random = seededRandom('events')
const event = signEvent({ created_at: 1_782_907_200, kind: 1, tags: [['t', 'x']], content: 'a text' }, secret, random)
const foreign = (changes: object): unknown => JSON.parse(JSON.stringify({ ...event, ...changes }))

/** Anything that has a UTF-8 form: control characters, quotes, line separators, other planes. */
const text = fc.string({
  unit: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 1 }),
    fc.constantFrom(...'\u0000\b\t\n\f\r\u001f"\\/\u007f\u2028\u2029\ufeff'),
  ),
})
const template = fc.record({
  created_at: fc.nat(2 ** 33),
  kind: fc.nat(65_535),
  tags: fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 5 }),
  content: text,
})

describe('an id', () => {
  test('is the one nostr-tools computes, whatever the text', () => {
    fc.assert(
      fc.property(template, (given) => {
        expect(eventId({ pubkey, ...given })).toBe(getEventHash({ pubkey, ...given }))
      }),
      { numRuns: 500 },
    )
  })
})

describe('a signature', () => {
  test('of ours is valid for nostr-tools, and theirs for us', () => {
    fc.assert(
      fc.property(template, (given) => {
        expect(verifyEvent(JSON.parse(JSON.stringify(signEvent(given, secret, random))))).toBe(true)
        const theirs = parseEvent(JSON.parse(JSON.stringify(finalizeEvent({ ...given }, secret.reveal()))))
        expect(theirs && isGenuine(theirs)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  test('differs every time, because its auxiliary randomness is fresh', () => {
    const again = signEvent(event, secret, random)
    expect(again.id).toBe(event.id)
    expect(again.sig).not.toBe(event.sig)
    expect(isGenuine(again)).toBe(true)
  })

  test('of changed content, of another id, by another key is not genuine', () => {
    const changes = [{ content: 'b text' }, { id: '0'.repeat(64) }, { pubkey: keyPairOf('else').pubkey }, { kind: 2 }]
    for (const change of changes) expect(isGenuine({ ...event, ...change })).toBe(false)
  })

  test('is looked at only for a true id', () => {
    const other = signEvent({ ...event, content: 'other' }, secret, random)
    expect(hasTrueId({ ...event, sig: other.sig })).toBe(true)
    expect(isGenuine({ ...event, sig: other.sig })).toBe(false)
    expect(hasTrueId({ ...event, content: 'other' })).toBe(false)
  })

  test('by a key that is no point of the curve is no error', () => {
    const offCurve = { ...event, pubkey: `${'0'.repeat(63)}5` }
    expect(isGenuine({ ...offCurve, id: eventId(offCurve) })).toBe(false)
  })
})

describe('an event from the wire', () => {
  test('comes out as it went in', () => {
    fc.assert(
      fc.property(template, (given) => {
        const sent: NostrEvent = { id: event.id, pubkey, ...given, sig: event.sig }
        expect(parseEvent(JSON.parse(JSON.stringify(sent)))).toEqual(sent)
      }),
    )
  })

  test('drops unknown members', () => {
    expect(parseEvent(foreign({ extra: 1, toJSON: 'x' }))).toEqual(event)
    expect(parseEvent(JSON.parse(`{"__proto__":${JSON.stringify(event)}}`))).toBeUndefined()
  })

  test.each([
    ['an id in capitals', { id: event.id.toUpperCase().replace(/^./, 'A') }],
    ['a short id', { id: event.id.slice(1) }],
    ['an id with a line break', { id: `${event.id}\n` }],
    ['a short key', { pubkey: pubkey.slice(2) }],
    ['a long signature', { sig: `${event.sig}0` }],
    ['no signature', { sig: undefined }],
    ['a time before 1970', { created_at: -1 }],
    ['half a second', { created_at: 0.5 }],
    ['a time that no number holds', { created_at: 2 ** 53 }],
    ['a time as text', { created_at: '1782907200' }],
    ['a kind over 65535', { kind: 65_536 }],
    ['a negative kind', { kind: -1 }],
    ['a content of another type', { content: null }],
    ['half a character in the content', { content: 'a\ud800b' }],
    ['half a character in a tag', { tags: [['t', '\udc00']] }],
    ['a content over the limit', { content: 'x'.repeat(131_073) }],
    ['tags that are no list', { tags: { 0: ['t'] } }],
    ['a tag that is no list', { tags: ['t'] }],
    ['a tag member that is no text', { tags: [['t', 1]] }],
    ['too many tags', { tags: Array(2001).fill([]) }],
    ['tags that are too long together', { tags: Array(40).fill(['t', 'x'.repeat(4000)]) }],
    ['one tag of too many empty members', { tags: [Array(131_073).fill('')] }],
  ])('with %s is none', (_, changes) => expect(parseEvent(foreign(changes))).toBeUndefined())

  test.each([
    ['a content at the limit', { content: 'x'.repeat(131_072) }],
    ['as many tags as allowed', { tags: Array(2000).fill(['t']) }],
    ['the highest kind and the latest time', { kind: 65_535, created_at: 2 ** 53 - 1 }],
    ['the lowest kind and the earliest time', { kind: 0, created_at: 0 }],
    ['whole characters of other planes', { content: '\u{1f600}\ud83d\ude00' }],
  ])('with %s is one', (_, changes) => expect(parseEvent(foreign(changes))).toEqual(foreign(changes)))

  test('is none when it is something else entirely', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => parseEvent(value) === undefined))
  })
})
