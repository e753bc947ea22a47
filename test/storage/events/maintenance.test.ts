// What happens to a relay's database beside the events that come: sweeping, removal, retention, counting, copies, commands.
import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { EventText } from '../../../src/nostr/event/index.js'
import type { EventStore } from '../../../src/relay/index.js'
import { databaseInUse, databaseMissing } from '../../../src/storage/errors.js'
import { changeEvents, openEventReader, openEventStore } from '../../../src/storage/index.js'
import { aDeletion, aText, aWrap, keyOf, NOW } from '../../support/event-builders.js'
import { idsIn, TINY, temporaryEvents, wrongRows } from '../../support/event-store.js'

const DAY = 86_400
const idsOf = (...texts: EventText[]): string[] => texts.map(({ event }) => event.id).sort()
const aDaysOld = (days: number, members = {}): EventText => aText({ created_at: NOW - days * DAY, ...members })
const everything = [{ tags: [] }]

function found({ find }: Pick<EventStore, 'find'>): string[] {
  const ids: string[] = []
  const query = find(everything)
  for (let page = query.next(); page; page = query.next())
    for (const text of page.bytes.toString().trimEnd().split('\n')) ids.push(JSON.parse(text).id)
  return ids.sort()
}

test('what has expired is swept, a deletion with its effect', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  const note = aText()
  const tags = [['expiration', String(NOW + 10)]]
  const notes = Array.from({ length: 20 }, (_, i) => aText({ content: String(i), tags }))
  store.append([...notes, note, aDeletion({ tags: [...tags, ['e', note.event.id]] })])
  expect(store.sweep()).toBe(0)
  files.clock.seconds += 10
  expect(store.sweep()).toBe(21)
  expect(store.append([note])).toEqual(['stored'])
  await store.close()
  expect(idsIn(files.path)).toEqual(idsOf(note))
  expect(wrongRows(files.path)).toEqual([])
})

test('the operator removes what filters match, gift wraps too', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  const mine = Array.from({ length: 30 }, (_, i) => aText({ content: String(i), tags: [['t', 'x']] }))
  const [wrap, theirs] = [aWrap(), aText({ pubkey: keyOf(2) })]
  store.append([...mine, wrap, theirs])
  expect(
    await store.remove([
      { authors: [keyOf(1)], tags: [] },
      { kinds: [1059], tags: [] },
    ]),
  ).toBe(31)
  expect(await store.remove([{ authors: [keyOf(1)], tags: [] }])).toBe(0)
  expect(store.append(mine.slice(0, 1))).toEqual(['stored'])
  await store.close()
  expect(idsIn(files.path)).toEqual(idsOf(mine[0] ?? wrap, theirs))
  expect(wrongRows(files.path)).toEqual([])
})

test('events go with age, gift wraps and those of chosen authors stay', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  const [old, wrap, kept, young] = [
    aDaysOld(31),
    aWrap({ created_at: NOW - 90 * DAY }),
    aDaysOld(40, { pubkey: keyOf(7) }),
    aDaysOld(29),
  ]
  store.append([old, wrap, kept, young, ...Array.from({ length: 20 }, (_, i) => aText({ content: String(i) }))])
  expect(await store.prune({ days: 30, keepAuthors: [keyOf(7)], kinds: [7] })).toBe(0)
  const wide = { first: 2, last: 65_535 }
  expect(await store.prune({ days: 30, keepAuthors: [keyOf(7)], kinds: [wide] })).toBe(0)
  const narrow = { first: 0, last: 1 }
  expect(await store.prune({ days: 30, keepAuthors: [keyOf(7)], kinds: [7, narrow] })).toBe(1)
  const left = found(store)
  expect(left).toEqual(expect.arrayContaining(idsOf(wrap, kept, young)))
  expect(left).toHaveLength(23)
})

test.each(['staged', 'indexed'])(
  'of too many events the oldest go, whatever their kinds, but no gift wrap (%s)',
  async (where) => {
    const files = temporaryEvents()
    let store = await files.open({ sizes: TINY })
    const notes = Array.from({ length: 30 }, (_, i) => aDaysOld(100 - i, { kind: i % 3 === 0 ? 7 : 1 }))
    const wraps = [1, 2, 3].map((n) => aWrap({ created_at: NOW - 200 * DAY, content: String(n) }))
    store.append([...wraps, ...notes])
    if (where === 'indexed') {
      await store.close()
      store = await files.open({ sizes: TINY })
    }
    expect(await store.prune({ maxEvents: 13 })).toBe(20)
    expect(found(store)).toEqual(idsOf(...wraps, ...notes.slice(20)))
    expect(await store.prune({ maxEvents: 1 })).toBe(10)
    expect(found(store)).toEqual(idsOf(...wraps))
  },
)

test.each(['prune', 'remove'] as const)('%s leaves the event loop after 32 events', async (how) => {
  const files = temporaryEvents()
  const filling = await files.open()
  filling.append(Array.from({ length: 200 }, (_, i) => aDaysOld(300 - i, { kind: 7 })))
  await filling.close()
  const store = await files.open()
  let turns = 0
  let counting = true
  const count = (): void => {
    turns++
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  const removed = how === 'prune' ? store.prune({ maxEvents: 8 }) : store.remove([{ kinds: [7], tags: [] }])
  expect(await removed).toBe(how === 'prune' ? 192 : 200)
  counting = false
  expect(turns).toBeGreaterThanOrEqual(6)
})

test('a database that is too large loses its oldest events', async () => {
  const store = await temporaryEvents().open({ sizes: TINY })
  store.append(Array.from({ length: 400 }, (_, i) => aDaysOld(500 - i, { content: 'x'.repeat(3000) })))
  const { bytes } = store.size()
  const removed = await store.prune({ maxBytes: bytes / 2 })
  expect(removed).toBeGreaterThan(180)
  expect(removed).toBeLessThan(220)
  expect(await store.prune({ maxBytes: bytes })).toBe(0)
})

test('the counts are those of the events, staged or not', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  store.append(Array.from({ length: 25 }, (_, i) => aText({ content: String(i), kind: i < 5 ? 7 : 1 })))
  store.append([aText({ kind: 0 }), aText({ kind: 0, created_at: NOW + 1 })])
  await store.remove([
    { kinds: [7], tags: [], limit: 1 },
    { ids: [aText({ content: '9' }).event.id], tags: [] },
  ])
  const kinds = [
    { kind: 1, events: 19 },
    { kind: 0, events: 1 },
  ]
  expect(await store.stats()).toMatchObject({ events: 20, kinds })
  expect(store.size().events).toBe(20)
  const reader = await openEventReader(files)
  expect(await reader.stats()).toMatchObject({ events: 20, kinds })
  await reader.close()
})

test('a copy is whole while events go on coming', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  const notes = Array.from({ length: 20 }, (_, i) => aText({ content: String(i) }))
  store.append(notes)
  const target = join(dirname(files.path), 'copy.db')
  const copied = store.copyTo(target)
  store.append([aText({ content: 'later' })])
  await copied
  expect(statSync(target).mode & 0o777).toBe(0o600)
  expect(idsIn(target)).toEqual(expect.arrayContaining(idsOf(...notes)))
  const copy = await openEventStore({ ...files, path: target })
  expect(copy.append(notes.slice(0, 1))).toEqual(['duplicate'])
  await copy.close()
  expect(wrongRows(target)).toEqual([])
})

test('a reader sees what is staged in the process that serves', async () => {
  const files = temporaryEvents()
  await expect(openEventReader(files)).rejects.toSatisfy(databaseMissing.is)
  const store = await files.open()
  const note = aText()
  store.append([note])
  const reader = await openEventReader(files)
  store.append([aText({ content: 'later' })])
  expect(found(reader)).toEqual(idsOf(note))
  await reader.close()
})

test('a reader copies the database while it is served, and counts what would be taken away', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  const notes = Array.from({ length: 20 }, (_, i) => aDaysOld(i, { pubkey: keyOf(1 + (i % 2)) }))
  store.append([...notes, aWrap({ created_at: NOW - 99 * DAY })])
  const reader = await openEventReader(files)
  const target = join(dirname(files.path), 'copy.db')
  await reader.copyTo(target)
  expect(idsIn(target)).toEqual(idsIn(files.path))
  expect(statSync(target).mode & 0o777).toBe(0o600)

  const spared = { authors: [keyOf(1)], kinds: [1059] }
  expect(await reader.removable(everything, spared)).toBe(10)
  const retention = { days: 15, maxEvents: 8, keepAuthors: [keyOf(1)] }
  expect(await reader.prunable(retention)).toBe(10)
  expect(await reader.prunable({ days: 15 })).toBe(5)
  expect(await reader.prunable({ maxEvents: 8 })).toBe(13)
  expect(await reader.prunable({ kinds: [1059], days: 1 })).toBe(0)
  await reader.close()
  expect(await changeEvents(files, { kind: 'remove', filters: everything, spared })).toBe(10)
  expect(await store.prune({ maxEvents: 8 })).toBe(3)
})

test('times are those of what is there, staged and indexed, and of nothing else', async () => {
  const files = temporaryEvents()
  const store = await files.open({ sizes: TINY })
  expect(await store.stats()).toMatchObject({ events: 0, oldest: undefined, newest: undefined, expiring: 0 })
  const tags = [['expiration', String(NOW + DAY)]]
  const notes = Array.from({ length: 30 }, (_, i) => aDaysOld(i, i === 7 ? { tags } : {}))
  for (const note of notes) {
    store.append([note])
    expect(await store.stats()).toMatchObject({ oldest: note.event.created_at, newest: NOW })
  }
  await store.remove([{ ids: [notes[0], notes[29]].map((note) => note?.event.id ?? ''), tags: [] }])
  const left = { events: 28, oldest: NOW - 28 * DAY, newest: NOW - DAY, expiring: 1 }
  expect(await store.stats()).toMatchObject(left)
  await store.close()
  const reader = await openEventReader(files)
  expect(await reader.stats()).toMatchObject(left)
  await reader.close()
})

test('one process serves a database; a command removes through it, or by itself without a process', async () => {
  const files = temporaryEvents()
  const store = await files.open()
  await expect(openEventStore(files)).rejects.toSatisfy(databaseInUse.is)
  const [note, other, third] = ['1', '2', '3'].map((content) => aText({ content }))
  store.append([note, other, third].flatMap((text) => text ?? []))
  const remove = (text = aText()) =>
    changeEvents(files, { kind: 'remove', filters: [{ ids: [text.event.id], tags: [] }] })
  expect(await remove(note)).toBe(1)
  expect(store.knows(note?.event.id ?? '')).toBe(false)
  expect(await changeEvents(files, { kind: 'prune', retention: { maxEvents: 1 } })).toBe(1)
  await store.close()
  expect(await remove(third)).toBe(1)
  expect(idsIn(files.path)).toHaveLength(0)
})

test('waiting for the disk ends for everybody who waits', async () => {
  const store = await temporaryEvents().open()
  store.append([aText()])
  await Promise.all([store.synced(), store.synced(), store.synced()])
  await store.check()
})
