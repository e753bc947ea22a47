// Stores that follow one log come to the same decisions, whatever their clocks, sweeps and restarts.
import { expect, test } from 'vitest'
import { relayFollowsLog } from '../../../src/storage/errors.js'
import { aDeletion, aText, keyOf, NOW } from '../../support/event-builders.js'
import { temporaryEvents } from '../../support/event-store.js'
import { randomEntries } from '../../support/log-entries.js'
import { MANNERS, storeOf } from '../../support/log-stores.js'

const FOLLOWS = { follows: { requestRemoval: async () => 0, founder: '00000000-0000-4000-8000-000000000001' } }
const mark = (pos: number, seconds: number) => ({ pos, at: seconds * 1000 })
const expiring = (seconds: number) => ['expiration', String(seconds)]

test('three stores with other clocks, sweeps and restarts decide the same', async () => {
  const stores = await Promise.all(MANNERS.map(storeOf))
  for (const entry of randomEntries(2000)) for (const store of stores) await store.apply(entry)
  const [first, ...others] = stores.map(({ position }) => position())
  expect(first?.pos).toBe(2000)
  for (const other of others) expect(other).toEqual(first)
  const [ids, ...rest] = await Promise.all(stores.map((store) => store.ids()))
  expect(ids?.length).toBeGreaterThan(100)
  for (const other of rest) expect(other).toEqual(ids)
}, 120_000)

test('stores that decide by their own clocks do not', async () => {
  const outcomes = await Promise.all(
    [0, 5].map(async (ahead) => {
      const files = temporaryEvents()
      const store = await files.open()
      return [...randomEntries(1000)].flatMap((entry) => {
        files.clock.seconds = Math.floor(entry.at / 1000) + ahead
        return 'events' in entry ? store.append(entry.events) : []
      })
    }),
  )
  expect(outcomes[0]).not.toEqual(outcomes[1])
})

const ANNA = { pubkey: keyOf(1) }
const LIST = { ...ANNA, kind: 30_023, tags: [['d', 'x']] }

test.each([true, false])(
  'an expired deletion refuses nothing and makes room for the next, swept: %s',
  async (swept) => {
    const store = await temporaryEvents().open(FOLLOWS)
    const address = ['a', `30023:${keyOf(1)}:x`]
    const sweep = () => swept && store.sweep()
    store.append([aDeletion({ ...ANNA, created_at: NOW + 9, tags: [address, expiring(NOW + 10)] })], mark(1, NOW))
    expect(store.append([aText({ ...LIST, created_at: NOW })], mark(2, NOW + 1))).toEqual(['deleted'])
    store.log?.advance(mark(3, NOW + 10))
    sweep()
    store.append([aDeletion({ ...ANNA, created_at: NOW + 5, tags: [address] })], mark(4, NOW + 11))
    expect(store.append([aText({ ...LIST, created_at: NOW })], mark(5, NOW + 12))).toEqual(['deleted'])
    expect(store.append([aText({ ...LIST, created_at: NOW + 8 })], mark(6, NOW + 13))).toEqual(['stored'])
  },
)

test('an entry is decided by its own rules: those before refuse a deletion that names events of others', async () => {
  const [mine, theirs] = [aText(ANNA), aText({ pubkey: keyOf(2) })]
  const deletion = aDeletion({ ...ANNA, tags: [mine, theirs].map(({ event }) => ['e', event.id]) })
  const store = await temporaryEvents().open(FOLLOWS)
  const batch = [mine, theirs, deletion]
  expect(store.append(batch, { ...mark(1, NOW), rules: 1 })).toEqual(['stored', 'stored', 'foreign'])
  expect(store.append(batch, { ...mark(2, NOW), rules: 2 })).toEqual(['duplicate', 'duplicate', 'stored'])
  expect(store.append(batch, mark(3, NOW))).toEqual(['deleted', 'duplicate', 'duplicate'])
})

test('the time of an entry is never before that of the one before it', async () => {
  const store = await temporaryEvents().open(FOLLOWS)
  store.log?.advance(mark(1, NOW + 100))
  expect(store.append([aText({ tags: [expiring(NOW + 50)] })], mark(2, NOW))).toEqual(['expired'])
  expect(store.log?.position().at).toBe((NOW + 100) * 1000)
})

test('position and settings survive kill -9, together with the events of the entry', async () => {
  const files = temporaryEvents()
  const store = await files.open(FOLLOWS)
  store.log?.advance(mark(1, NOW), { giftWrapRecipientDelete: true })
  store.append([aText()], mark(2, NOW))
  const before = store.log?.position()
  const again = await files.crash(store, FOLLOWS)
  expect(again.log?.position()).toEqual(before)
  expect(before).toMatchObject({ pos: 2, settings: { giftWrapRecipientDelete: true } })
  expect(again.size().events).toBe(1)
})

test('an entry that comes twice, or too early, changes nothing', async () => {
  const store = await temporaryEvents().open(FOLLOWS)
  store.append([aText()], mark(1, NOW))
  for (const pos of [1, 3]) expect(() => store.append([aText({ content: 'b' })], mark(pos, NOW))).toThrow(/entry/)
  expect(store.size().events).toBe(1)
})

test('a file that follows a log is not opened without it', async () => {
  const files = temporaryEvents()
  await (await files.open(FOLLOWS)).close()
  await expect(files.open()).rejects.toSatisfy(relayFollowsLog.is)
})

test('retention goes through the log as removals up to a time', async () => {
  const requested: unknown[] = []
  const files = temporaryEvents()
  const requestRemoval = async (...request: readonly unknown[]) => {
    requested.push(request)
    return 0
  }
  const store = await files.open({ follows: { ...FOLLOWS.follows, requestRemoval } })
  const texts = Array.from({ length: 10 }, (_, n) => aText({ created_at: NOW + n }))
  store.append(texts, mark(1, NOW))
  await store.prune({ maxEvents: 7 })
  expect(requested).toEqual([[[{ kinds: [1], tags: [], until: NOW + 2 }], { authors: [] }]])
  expect(store.size().events).toBe(10)
  expect(await store.log?.removeAt(mark(2, NOW), [{ kinds: [1], tags: [], until: NOW + 2 }])).toBe(3)
  expect(store.size().events).toBe(7)
})
