import { expect, test } from 'vitest'
import type { Filter } from '../../../../src/nostr/filter/index.js'
import { addressHash, tagHash } from '../../../../src/storage/events/index/index-keys.js'
import { findByAddress } from '../../../../src/storage/events/write/lookups.js'
import { openSqlite } from '../../../../src/storage/sqlite/sqlite.js'
import { aDeletion, aText, aWrap, keyOf, NOW } from '../../../support/event-builders.js'
import { idsIn, temporaryEvents, wrongRows } from '../../../support/event-store.js'

const idOf = ({ event }: { event: { id: string } }): string => event.id
const sorted = (...texts: { event: { id: string } }[]): string[] => texts.map(idOf).sort()
/** Two events that differ in nothing but their ids; the lower one first. */
const twins = (members: Parameters<typeof aText>[0]) =>
  [aText({ ...members, content: 'a' }), aText({ ...members, content: 'b' })].sort((a, b) =>
    a.event.id < b.event.id ? -1 : 1,
  )

test('an event is stored once, whether it comes again in the batch, later, or after a restart', async () => {
  const files = temporaryEvents()
  const store = await files.open()
  const note = aText()
  expect(store.append([note, note])).toEqual(['stored', 'duplicate'])
  expect(store.knows(note.event.id)).toBe(true)
  expect(store.append([note])).toEqual(['duplicate'])
  await store.close()
  const again = await files.open()
  expect(again.append([note, aText({ content: 'other' })])).toEqual(['duplicate', 'stored'])
  await again.close()
  expect(idsIn(files.path)).toHaveLength(2)
  expect(wrongRows(files.path)).toEqual([])
})

test('the newest version of a replaceable event holds, and the older one is refused, on the disk as in memory', async () => {
  const files = temporaryEvents()
  const [first, second, third] = [1, 2, 3].map((n) => aText({ kind: 0, created_at: NOW + n }))
  const store = await files.open()
  expect(store.append([second!])).toEqual(['stored'])
  expect(store.append([first!])).toEqual(['replaced'])
  await store.close()
  const again = await files.open()
  expect(again.append([first!])).toEqual(['replaced'])
  expect(again.append([third!, second!])).toEqual(['stored', 'replaced'])
  await again.close()
  expect(idsIn(files.path)).toEqual([third!.event.id])
  expect(wrongRows(files.path)).toEqual([])
})

test('of one second the lowest id holds, whichever comes first', async () => {
  const [low, high] = twins({ kind: 10_002 })
  for (const [batch, kept] of [
    [
      [low!, high!],
      ['stored', 'replaced'],
    ],
    [
      [high!, low!],
      ['stored', 'stored'],
    ],
  ] as const) {
    const files = temporaryEvents()
    const store = await files.open()
    expect(store.append(batch)).toEqual(kept)
    await store.close()
    expect(idsIn(files.path)).toEqual([low!.event.id])
    expect(wrongRows(files.path)).toEqual([])
  }
})

test('a replaceable event that is replaced twice in one batch leaves the last one', async () => {
  const files = temporaryEvents()
  const versions = [1, 2, 3].map((n) => aText({ kind: 30_023, created_at: NOW + n, tags: [['d', 'x']] }))
  const [other, foreign] = [
    aText({ kind: 30_023, tags: [['d', 'y']] }),
    aText({ kind: 30_023, tags: [['d', 'x']], pubkey: keyOf(2) }),
  ]
  const store = await files.open()
  expect(store.append([...versions, other, foreign])).toEqual(Array(5).fill('stored'))
  await store.close()
  expect(idsIn(files.path)).toEqual(sorted(versions[2]!, other, foreign))
})

test('an author deletes own events by id, whenever they come, and no other author does', async () => {
  const files = temporaryEvents()
  const [mine, later, theirs] = [aText(), aText({ content: 'later' }), aText({ pubkey: keyOf(2) })]
  const tags = [mine, later].map(({ event }) => ['e', event.id])
  const store = await files.open()
  store.append([mine, theirs])
  const deletion = aDeletion({ tags, created_at: NOW - 5 })
  expect(store.append([deletion, later])).toEqual(['stored', 'deleted'])
  expect(store.append([mine, theirs])).toEqual(['deleted', 'duplicate'])
  await store.close()
  const again = await files.open()
  expect(again.append([mine, later, deletion])).toEqual(['deleted', 'deleted', 'duplicate'])
  await again.close()
  expect(idsIn(files.path)).toEqual(sorted(theirs, deletion))
  expect(wrongRows(files.path)).toEqual([])
})

test('a deletion that also names another author’s event deletes its own only, in memory, on the disk and within its batch', async () => {
  const files = temporaryEvents()
  const [mine, second, theirs, unknown] = [
    aText(),
    aText({ content: 'second' }),
    aText({ pubkey: keyOf(2) }),
    aText({ pubkey: keyOf(2), content: 'later' }),
  ]
  const naming = (...events: { event: { id: string } }[]) => aDeletion({ tags: events.map((one) => ['e', idOf(one)]) })
  const store = await files.open()
  expect(store.append([mine, theirs, naming(mine, theirs)])).toEqual(['stored', 'stored', 'stored'])
  expect(store.append([naming(theirs), mine, second])).toEqual(['stored', 'deleted', 'stored'])
  expect(store.append([naming(unknown), unknown])).toEqual(['stored', 'stored'])
  await store.close()
  const again = await files.open()
  expect(again.append([naming(second, theirs), second])).toEqual(['stored', 'deleted'])
  await again.close()
  const deletions = [naming(mine, theirs), naming(theirs), naming(unknown), naming(second, theirs)]
  expect(idsIn(files.path)).toEqual(sorted(theirs, unknown, ...deletions))
  expect(wrongRows(files.path)).toEqual([])
})

test('a deletion that also names another author’s address deletes at its own only', async () => {
  const store = await temporaryEvents().open()
  const [mine, theirs] = [aText({ kind: 0 }), aText({ kind: 0, pubkey: keyOf(2) })]
  const naming = (...addresses: string[]) => aDeletion({ tags: addresses.map((address) => ['a', address]) })
  expect(store.append([mine, theirs])).toEqual(['stored', 'stored'])
  expect(store.append([naming(`0:${keyOf(1)}:`, `30023:${keyOf(2)}:x`), naming(`0:${keyOf(2)}`)])).toEqual([
    'stored',
    'stored',
  ])
  expect(store.append([mine, theirs])).toEqual(['deleted', 'duplicate'])
  expect(store.append([naming(`1:${keyOf(2)}:`, 'no address', `0:${keyOf(1)}:`), mine])).toEqual(['stored', 'deleted'])
})

test('a deletion and its target in one batch, in both orders', async () => {
  const [one, other] = [aText(), aText({ content: 'other' })]
  const deletion = aDeletion({
    tags: [
      ['e', one.event.id],
      ['e', other.event.id],
    ],
  })
  const files = temporaryEvents()
  const store = await files.open()
  expect(store.append([one, deletion, other, one])).toEqual(['stored', 'stored', 'deleted', 'deleted'])
  await store.close()
  expect(idsIn(files.path)).toEqual([deletion.event.id])
})

test('a deletion by address takes what is not newer than itself, and refuses it later', async () => {
  const files = temporaryEvents()
  const version = (at: number) => aText({ kind: 30_023, created_at: at, tags: [['d', 'a:b']] })
  const address = ['a', `30023:${keyOf(1)}:a:b`]
  const store = await files.open()
  store.append([version(NOW)])
  expect(store.append([aDeletion({ tags: [address] })])).toEqual(['stored'])
  expect(store.append([version(NOW), version(NOW - 1)])).toEqual(['deleted', 'deleted'])
  expect(store.append([version(NOW + 1)])).toEqual(['stored'])
  expect(store.append([aDeletion({ tags: [address], created_at: NOW - 9 })])).toEqual(['stored'])
  expect(store.append([version(NOW)])).toEqual(['deleted'])
  expect(store.append([version(NOW + 1)])).toEqual(['duplicate'])
})

test('a replaceable kind is deleted by its address with the colon at the end or without it', async () => {
  for (const ending of ['', ':']) {
    const store = await temporaryEvents().open()
    const [mine, theirs] = [aText({ kind: 0 }), aText({ kind: 0, pubkey: keyOf(2) })]
    const tags = [['a', `0:${keyOf(1)}${ending}`]]
    expect(store.append([mine, theirs, aDeletion({ tags })])).toEqual(['stored', 'stored', 'stored'])
    expect(store.append([mine, theirs])).toEqual(['deleted', 'duplicate'])
  }
})

test('a deletion is never deleted', async () => {
  const store = await temporaryEvents().open()
  const first = aDeletion({ tags: [['e', keyOf(7)]] })
  store.append([first, aDeletion({ tags: [['e', first.event.id]] })])
  expect(store.append([first])).toEqual(['duplicate'])
})

test('a gift wrap stays, whatever its own key and, unless that is allowed, its receiver say', async () => {
  for (const allowed of [false, true]) {
    const store = await temporaryEvents().open({ giftWrapRecipientDelete: allowed })
    const [wrap, later] = [aWrap(), aWrap({ content: 'later' })]
    const tags = [
      ['e', wrap.event.id],
      ['e', later.event.id],
    ]
    store.append([wrap])
    expect(store.append([aDeletion({ pubkey: keyOf(900), tags })])).toEqual(['stored'])
    expect(store.append([wrap, later])).toEqual(['duplicate', 'stored'])
    expect(store.append([aDeletion({ pubkey: keyOf(2), tags })])).toEqual(['stored'])
    expect(store.append([wrap, later])).toEqual(allowed ? ['deleted', 'deleted'] : ['duplicate', 'duplicate'])
  }
})

test.each([
  ['before it was swept, in memory', { isSwept: false, isOnDisk: false }],
  ['before it was swept, on the disk', { isSwept: false, isOnDisk: true }],
  ['after it was swept', { isSwept: true, isOnDisk: true }],
])(
  'what has expired counts as absent, %s: an older version is stored, a deletion by others is not foreign',
  async (_, at) => {
    const files = temporaryEvents()
    let store = await files.open()
    const expiration = [['expiration', String(NOW + 10)]]
    const [older, newer] = [
      aText({ kind: 0, created_at: NOW - 5 }),
      aText({ kind: 0, created_at: NOW, tags: expiration }),
    ]
    const note = aText({ tags: expiration })
    expect(store.append([newer, note])).toEqual(['stored', 'stored'])
    expect(store.append([older])).toEqual(['replaced'])
    if (at.isOnDisk) {
      await store.close()
      store = await files.open()
    }
    files.clock.seconds += 10
    if (at.isSwept) expect(store.sweep()).toBe(2)
    const theirs = aDeletion({ pubkey: keyOf(2), tags: [['e', note.event.id]] })
    expect(store.append([newer, note, older, theirs, older])).toEqual([
      'expired',
      'expired',
      'stored',
      'stored',
      'duplicate',
    ])
    store.sweep()
    await store.close()
    expect(idsIn(files.path)).toEqual(sorted(older, theirs))
    expect(wrongRows(files.path)).toEqual([])
  },
)

test('what has expired is refused', async () => {
  const store = await temporaryEvents().open()
  const until = (at: number) => aText({ tags: [['expiration', String(at)]] })
  expect(store.append([until(NOW), until(NOW + 1)])).toEqual(['expired', 'stored'])
})

test('when the database fails, nothing of the batch has happened, and the same batch is good afterwards', async () => {
  const files = temporaryEvents()
  const store = await files.open()
  const [kept, note] = [aText({ kind: 0 }), aText({ kind: 0, created_at: NOW + 1 })]
  store.append([kept])
  const broken = { ...note, bytes: 'text' as unknown as Buffer }
  expect(() => store.append([aText(), broken])).toThrow()
  expect(store.knows(note.event.id)).toBe(false)
  expect(idsIn(files.path)).toEqual([kept.event.id])
  expect(store.append([aText(), note])).toEqual(['stored', 'stored'])
})

test('an event that is removed after a kill in the middle of indexing leaves no row behind', async () => {
  const files = temporaryEvents()
  const options = { sizes: { staged: 8, tombstones: 3, slice: 4, maxSlice: 6 } }
  const profiles = Array.from({ length: 8 }, (_, n) => aText({ kind: 0, pubkey: keyOf(n), created_at: NOW }))
  const store = await files.open(options)
  store.append(profiles)
  // Some rows of the eight are written with these two, not all.
  store.append([aText({ content: 'a' })])
  store.append([aText({ content: 'b' })])
  const next = await files.crash(store)
  next.append(profiles.map((_, n) => aText({ kind: 0, pubkey: keyOf(n), created_at: NOW + 1 })))
  await next.close()
  expect(wrongRows(files.path)).toEqual([])
})

test('what is counted is right at every step of erasing the rows of replaced events', async () => {
  const files = temporaryEvents()
  const options = { sizes: { staged: 50, tombstones: 3, slice: 1, maxSlice: 2 } }
  const versions = (created_at: number) =>
    Array.from({ length: 8 }, (_, n) => aText({ kind: 0, pubkey: keyOf(n), created_at, tags: [['t', 'a']] }))
  const first = await files.open(options)
  first.append(versions(NOW))
  await first.close()
  const store = await files.open(options)
  store.append(versions(NOW + 1))
  for (let n = 0; n < 60; n++) {
    store.append([aText({ content: `${n}` })])
    const filters: readonly Filter[] = [
      { kinds: [0], tags: [] },
      { authors: [keyOf(1), keyOf(2)], kinds: [0], tags: [] },
      { tags: [{ letter: 't', values: ['a'] }] },
      { tags: [] },
    ]
    const counts = filters.map((filter) => store.count([filter], 1000).step()?.count)
    expect(counts).toEqual([8, 2, 8, 9 + n])
  }
})

test('what is swept while it is counted is taken off once', async () => {
  const files = temporaryEvents()
  const first = await files.open()
  const short = Array.from({ length: 5 }, (_, n) =>
    aText({ content: `${n}`, tags: [['expiration', String(NOW + 10)]] }),
  )
  first.append([...short, aText()])
  await first.close()
  const store = await files.open()
  files.clock.seconds += 20
  const counting = store.count([{ kinds: [1], tags: [] }], 1000)
  expect(store.sweep()).toBe(5)
  expect(counting.step()).toEqual({ count: 1, limited: false })
})

test('rows of replaced events that are erased while they are counted are not counted', async () => {
  const files = temporaryEvents()
  const authors = Array.from({ length: 100 }, (_, n) => keyOf(n + 1))
  const versions = (from: number, to: number, created_at: number) =>
    authors.slice(from, to).map((pubkey) => aText({ kind: 0, pubkey, created_at }))
  const first = await files.open()
  first.append(versions(0, 100, NOW))
  await first.close()
  const store = await files.open({ sizes: { staged: 1000, tombstones: 60, slice: 1, maxSlice: 1000 } })
  store.append(versions(0, 50, NOW + 1))
  const counting = store.count([{ kinds: [0], authors, tags: [] }], 1000)
  expect(counting.step()).toBeUndefined()
  store.append(versions(50, 70, NOW + 1))
  for (let n = 0; n < 20; n++) store.append([aText({ kind: 7, content: `${n}` })])
  let count = counting.step()
  while (!count) count = counting.step()
  expect(count).toEqual({ count: 100, limited: false })
})

test('what has expired and is indexed while it is counted is not taken off', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: { staged: 6, tombstones: 3, slice: 1, maxSlice: 100 } })
  const short = Array.from({ length: 3 }, (_, n) =>
    aText({ content: `${n}`, tags: [['expiration', String(NOW + 10)]] }),
  )
  store.append([...short, aText()])
  files.clock.seconds += 20
  const counting = store.count([{ kinds: [1], tags: [] }], 1000)
  for (let n = 0; n < 20; n++) store.append([aText({ kind: 7, content: `${n}` })])
  expect(counting.step()).toEqual({ count: 1, limited: false })
})

test('hundreds that have expired do not keep the rest from being counted by their rows, at once', async () => {
  const files = temporaryEvents()
  const first = await files.open()
  const some = (count: number, tags: string[][]) =>
    Array.from({ length: count }, (_, n) => aText({ content: `${n} of ${count}`, tags }))
  first.append([...some(500, [['expiration', String(NOW + 10)]]), ...some(300, [])])
  await first.close()
  const store = await files.open()
  files.clock.seconds += 20
  expect(store.count([{ kinds: [1], tags: [] }], 1000).step()).toEqual({ count: 300, limited: false })
})

test('when what has expired is large, the rest is counted in steps', async () => {
  const files = temporaryEvents()
  const first = await files.open()
  const content = 'x'.repeat(120_000)
  const large = Array.from({ length: 20 }, (_, n) =>
    aText({ content: `${n}${content}`, tags: [['expiration', String(NOW + 10)]] }),
  )
  first.append([...large, ...Array.from({ length: 300 }, (_, n) => aText({ content: `${n}` }))])
  await first.close()
  const store = await files.open()
  files.clock.seconds += 20
  const counting = store.count([{ kinds: [1], tags: [] }], 1000)
  expect(counting.step()).toBeUndefined()
  let counted = counting.step()
  while (!counted) counted = counting.step()
  expect(counted).toEqual({ count: 300, limited: false })
})

/** A value that stands under letter `p` in the index where the hash says: its first 48 bits, moved back. */
function valueWithHash(hash: number): string {
  const shift = tagHash('p', '0'.repeat(64))
  const start = (((hash - shift) % 2 ** 48) + 2 ** 48) % 2 ** 48
  return start.toString(16).padStart(12, '0') + '0'.repeat(52)
}

test("tags made to look like an author's address are not read when that author writes", async () => {
  const files = temporaryEvents()
  const profile = aText({ kind: 0 })
  const hash = addressHash(`0:${profile.event.pubkey}:`)
  const value = valueWithHash(hash)
  expect(tagHash('p', value)).toBe(hash)
  const store = await files.open()
  const lookalikes = Array.from({ length: 50 }, (_, n) =>
    aText({ kind: 0, pubkey: keyOf(100 + n), tags: [['p', value]] }),
  )
  store.append([profile, ...lookalikes])
  await store.close()
  const db = openSqlite(files.path, 'reading')
  const read: number[] = []
  const found = findByAddress(db, [hash], (seq) => read.push(seq) === 0)
  db.close()
  expect(read).toHaveLength(1)
  expect([...found.values()].map(idOf)).toEqual([idOf(profile)])
})
