// Two relays on real sockets of this machine.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SyncParts, syncRelays } from '../../../src/relay/index.js'
import { createOpenWebSocket, systemClock } from '../../../src/system/index.js'
import { anEvent, openPolicy, relaySettings, SECONDS } from '../../support/relay-parts.js'
import { type ServedRelay, servedRelay } from '../../support/served-relay.js'

let [here, there]: ServedRelay[] = []
const open = async (...changes: Parameters<typeof servedRelay>): Promise<ServedRelay> => servedRelay(...changes)
const stop = async (): Promise<void> => {
  await Promise.all([here?.close(), there?.close()])
}

beforeEach(async () => {
  ;[here, there] = [await open(), await open()]
})
afterEach(stop)

const events = Array.from({ length: 150 }, (_, i) => anEvent('ada', { content: `event ${i}`, created_at: SECONDS - i }))
const sync = (changes: Partial<SyncParts> = {}) =>
  syncRelays({
    here: here?.url ?? '',
    there: there?.url ?? '',
    ...{ filter: {}, direction: 'both', most: 1000, timeoutMs: 5000 },
    ...{ openSocket: createOpenWebSocket(), clock: systemClock, ...changes },
  })

async function put(relay: ServedRelay | undefined, list: typeof events): Promise<void> {
  const client = await relay?.client()
  for (const event of list) client?.send(['EVENT', event])
  for (const { id } of list) expect(await client?.next()).toEqual(['OK', id, true, ''])
}

async function idsAt(relay: ServedRelay | undefined): Promise<unknown[]> {
  const client = await relay?.client()
  client?.send(['REQ', 'all', {}])
  const messages = (await client?.until('EOSE')) ?? []
  return messages.flatMap(([, , event]) => (event ? [(event as { id: string }).id] : [])).sort()
}

const ids = (list: typeof events) => list.map(({ id }) => id).sort()

describe('both ways', () => {
  test('end with the same events on both sides', async () => {
    await put(here, events.slice(0, 100))
    await put(there, events.slice(30))
    const summary = await sync()
    expect(summary).toMatchObject({
      only_here: 30,
      only_there: 50,
      down: { missing: 50, read: 50, stored: 50, refused: {} },
      up: { missing: 30, read: 30, stored: 30, refused: {} },
    })
    expect([await idsAt(here), await idsAt(there)]).toEqual([ids(events), ids(events)])
    expect(await sync()).toMatchObject({ only_here: 0, only_there: 0 })
  })
})

test('one way leaves the other side as it is', async () => {
  await put(here, events.slice(0, 2))
  await put(there, events.slice(1, 3))
  expect(await sync({ direction: 'down' })).toMatchObject({ only_here: 1, only_there: 1, up: null })
  expect(await idsAt(here)).toEqual(ids(events.slice(0, 3)))
  expect(await idsAt(there)).toEqual(ids(events.slice(1, 3)))
  expect(await sync({ direction: 'up' })).toMatchObject({ down: null, up: { stored: 1 } })
  expect(await idsAt(there)).toEqual(ids(events.slice(0, 3)))
})

test('only what the filter matches is compared', async () => {
  await put(there, events.slice(0, 10))
  expect(await sync({ filter: { until: SECONDS - 8 } })).toMatchObject({ only_there: 2, down: { stored: 2 } })
})

test('of a filter with a limit the newest events are compared', async () => {
  await put(there, events.slice(0, 10))
  expect(await sync({ filter: { limit: 3 } })).toMatchObject({ only_there: 3, down: { stored: 3 } })
  expect(await idsAt(here)).toEqual(ids(events.slice(0, 3)))
})

test('a set that a relay refuses as too large is compared in spans of time, but not one with a limit', async () => {
  await stop()
  const settings = relaySettings({ negentropy: { enabled: true, maxSyncEvents: 20 } })
  ;[here, there] = [await open(), await open({ settings })]
  await put(there, events.slice(0, 60))
  await put(here, events.slice(50, 70))
  await expect(sync({ filter: { limit: 40 } })).rejects.toMatchObject({ code: 'RELAY_SYNC_FAILED' })
  expect(await sync()).toMatchObject({ only_here: 10, only_there: 50, down: { stored: 50 }, up: { stored: 10 } })
  expect(await idsAt(there)).toEqual(ids(events.slice(0, 70)))
})

test('what a write policy refuses is counted by its words', async () => {
  await stop()
  const policy = { ...openPolicy, refusalFor: () => 'blocked: not today' }
  ;[here, there] = [await open({ policy }), await open()]
  await put(there, events.slice(0, 3))
  expect((await sync()).down).toEqual({ missing: 3, read: 3, stored: 0, refused: { 'blocked: not today': 3 } })
})

describe('failures', () => {
  test('a relay that is not there', async () => {
    await expect(sync({ there: 'ws://127.0.0.1:1' })).rejects.toMatchObject({ code: 'RELAY_UNREACHABLE' })
  })

  test('a relay that does not reconcile says so', async () => {
    await stop()
    ;[here, there] = [await open(), await open({ settings: relaySettings({ negentropy: { enabled: false } }) })]
    await put(here, events.slice(0, 1))
    await expect(sync()).rejects.toMatchObject({
      code: 'RELAY_SYNC_FAILED',
      message: expect.stringContaining('it does not reconcile: invalid: negentropy is switched off'),
    })
  })

  test('more differences than are wanted', async () => {
    await put(there, events.slice(0, 60))
    await expect(sync({ most: 50 })).rejects.toMatchObject({ code: 'RELAY_SYNC_FAILED' })
  })
})
