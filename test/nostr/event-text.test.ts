import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Secret } from '../../src/lib/secret.js'
import {
  authorAt,
  classOf,
  eventText,
  idAt,
  identifierOf,
  type NostrEvent,
  signWith,
  textHasTag,
} from '../../src/nostr/event/index.js'

const SECRET = new Secret(new Uint8Array(32).fill(7))
const texts = fc.string({ unit: 'grapheme', maxLength: 40 })

const signed = (tags: string[][], content: string): NostrEvent =>
  signWith(new Uint8Array(32), { kind: 1, created_at: 1_700_000_000, tags, content }, SECRET)

const textOf = (event: NostrEvent): Buffer => {
  const text = eventText(event)
  if (!text) throw new Error('the id is wrong')
  return text.bytes
}

test('the text of an event is the event, with id and author at their places and no line break', () => {
  fc.assert(
    fc.property(fc.array(fc.array(texts, { maxLength: 4 }), { maxLength: 4 }), texts, (tags, content) => {
      const event = signed(tags, content)
      const bytes = textOf(event)
      expect(JSON.parse(bytes.toString())).toEqual(event)
      expect([idAt(bytes, 0), authorAt(bytes, 0)]).toEqual([event.id, event.pubkey])
      expect(bytes.includes(10)).toBe(false)
    }),
    { numRuns: 20 },
  )
})

test('a tag is found in the text exactly when the event has it', () => {
  const event = signed(
    [
      ['p', 'abc', 'wss://relay'],
      ['t', 'a"b'],
      ['alt', '["e","inner"]'],
    ],
    '["p","def"]',
  )
  const bytes = textOf(event)
  expect(textHasTag(bytes, 'p', 'abc')).toBe(true)
  expect(textHasTag(bytes, 't', 'a"b')).toBe(true)
  expect(['ab', 'def', 'abc"'].filter((value) => textHasTag(bytes, 'p', value))).toEqual([])
  expect(textHasTag(bytes, 'e', 'inner')).toBe(false)
})

test('an id that is not that of the content has no text', () => {
  const event = signed([], 'one')
  expect(eventText({ ...event, content: 'two' })).toBeUndefined()
})

test.each([
  [0, 'replaceable'],
  [1, 'regular'],
  [3, 'replaceable'],
  [5, 'regular'],
  [41, 'replaceable'],
  [1059, 'regular'],
  [9999, 'regular'],
  [10_000, 'replaceable'],
  [19_999, 'replaceable'],
  [20_000, 'ephemeral'],
  [29_999, 'ephemeral'],
  [30_000, 'addressable'],
  [39_999, 'addressable'],
  [40_000, 'regular'],
])('kind %i is %s', (kind, expected) => expect(classOf(kind)).toBe(expected))

test('the first d tag names an addressable event', () => {
  expect(
    identifierOf([
      ['e', 'x'],
      ['d', 'one'],
      ['d', 'two'],
    ]),
  ).toBe('one')
  expect([identifierOf([]), identifierOf([['d']])]).toEqual(['', ''])
})
