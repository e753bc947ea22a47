import { expect, test } from 'vitest'
import type { NostrEvent } from '../../../../src/nostr/event/index.js'
import {
  addressHash,
  indexKeysOf,
  placeInTime,
  prefixOf,
  tagHash,
} from '../../../../src/storage/events/index/index-keys.js'

const ID = `${'ab'.repeat(31)}01`
const AUTHOR = 'cd'.repeat(32)
const anEvent = (members: Partial<NostrEvent>): NostrEvent => ({
  id: ID,
  pubkey: AUTHOR,
  created_at: 1_700_000_000,
  kind: 1,
  tags: [],
  content: '',
  sig: '0'.repeat(128),
  ...members,
})

test('a note is found by id, time, kind and author', () => {
  expect(indexKeysOf(anEvent({}))).toEqual({
    prefix: prefixOf(ID),
    place: placeInTime(1_700_000_000, ID),
    kind: 1,
    author: prefixOf(AUTHOR),
    tags: [],
    address: undefined,
    expires: undefined,
  })
})

test('single letters are indexed by their first value, each value once, other tags are not', () => {
  const tags = [
    ['p', 'x', 'relay'],
    ['p', 'x'],
    ['P', 'x'],
    ['e'],
    ['subject', 'x'],
    ['1', 'x'],
    ['é', 'x'],
    ['', 'x'],
    [],
  ]
  expect(indexKeysOf(anEvent({ tags })).tags).toEqual([tagHash('p', 'x'), tagHash('P', 'x')])
})

test('what replaces others is found by its address', () => {
  const address = addressHash(`0:${AUTHOR}:`)
  expect(indexKeysOf(anEvent({ kind: 0, tags: [['d', 'x']] }))).toMatchObject({ address, tags: [tagHash('d', 'x')] })
  expect(indexKeysOf(anEvent({ kind: 30_023, tags: [['d', 'x']] })).address).toBe(addressHash(`30023:${AUTHOR}:x`))
  expect(indexKeysOf(anEvent({ kind: 30_023 })).address).toBe(addressHash(`30023:${AUTHOR}:`))
  expect(indexKeysOf(anEvent({ kind: 5 })).address).toBeUndefined()
})

test.each([
  ['1700000001', 1_700_000_001],
  ['0', 0],
  ['999999999999999', 2 ** 47],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['', undefined],
])('an expiration of %j is %j', (value, expires) => {
  expect(indexKeysOf(anEvent({ tags: [['expiration', value]] })).expires).toBe(expires)
})
