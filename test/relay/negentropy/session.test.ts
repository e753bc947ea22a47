import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDifferences, firstMessage, openRound } from '../../../src/relay/negentropy/round.js'
import type { RelayClient } from '../../support/relay-client.js'
import { anEvent, relaySettings, SECONDS } from '../../support/relay-parts.js'
import { type ServedRelay, servedRelay } from '../../support/served-relay.js'
import { setOf } from './sets.js'

let relay: ServedRelay
let client: RelayClient

async function serve(...changes: Parameters<typeof servedRelay>): Promise<void> {
  relay = await servedRelay(...changes)
  client = await relay.client()
}

beforeEach(() => serve())
afterEach(() => relay.close())

const stored = Array.from({ length: 60 }, (_, i) => anEvent('ada', { content: `event ${i}`, created_at: SECONDS - i }))
const ofEvents = (events: typeof stored) => setOf(events.map(({ created_at, id }) => ({ time: created_at, id })))
const NOTHING = '6100000200'

async function publish(events = stored): Promise<void> {
  for (const event of events) client.send(['EVENT', event])
  for (const { id } of events) expect(await client.next()).toEqual(['OK', id, true, ''])
}

/** Reconciles until it is done; what the relay has and lacks. */
async function reconcile(events: typeof stored, filter: object = {}) {
  const set = ofEvents(events)
  const differences = createDifferences(1000)
  client.send(['NEG-OPEN', 'n', filter, firstMessage(set).toString('hex')])
  for (;;) {
    const [verb, id, hex] = await client.next()
    expect([verb, id]).toEqual(['NEG-MSG', 'n'])
    const round = openRound({ set, frameBytes: 60_000, differences }, Buffer.from(String(hex), 'hex'))
    while (!round.advance(100));
    if (round.isAgreed()) return { have: differences.have.sort(), need: differences.need.sort() }
    client.send(['NEG-MSG', 'n', round.answer().toString('hex')])
  }
}

const ids = (events: typeof stored) => events.map(({ id }) => id).sort()

describe('reconciling', () => {
  test('tells exactly what differs, and transfers nothing by itself', async () => {
    await publish(stored.slice(0, 50))
    expect(await reconcile(stored.slice(10))).toEqual({ have: ids(stored.slice(50)), need: ids(stored.slice(0, 10)) })
    expect(await reconcile(stored.slice(0, 50))).toEqual({ have: [], need: [] })
  })

  test('is about what the filter asks for; of a limit the newest', async () => {
    await publish()
    const since = SECONDS - 9
    expect(await reconcile([], { since, limit: 4 })).toEqual({ have: [], need: ids(stored.slice(0, 4)) })
    expect(await reconcile([], { since })).toEqual({ have: [], need: ids(stored.slice(0, 10)) })
    expect(await reconcile([], { kinds: [7] })).toEqual({ have: [], need: [] })
  })

  test('goes on with the set as it was when it was opened, until it is closed', async () => {
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    expect(await client.next()).toEqual(['NEG-MSG', 'n', '6100000200'])
    await publish(stored.slice(0, 1))
    client.send(['NEG-MSG', 'n', NOTHING])
    expect(await client.next()).toEqual(['NEG-MSG', 'n', '6100000200'])
    client.send(['NEG-CLOSE', 'n'])
    client.send(['NEG-MSG', 'n', NOTHING])
    expect(await client.next()).toEqual(['NEG-ERR', 'n', 'closed: unknown subscription handle'])
  })

  test('a name that is opened again begins anew', async () => {
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    expect(await client.next()).toEqual(['NEG-MSG', 'n', '6100000200'])
    await publish(stored.slice(0, 1))
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    expect(await client.next()).toEqual(['NEG-MSG', 'n', `6100000201${stored[0]?.id}`])
  })
})

describe('what goes wrong', () => {
  test.each([
    [
      ['NEG-OPEN', 'n', {}, 'zz'],
      ['NEG-ERR', 'n', 'PROTOCOL-ERROR'],
    ],
    [
      ['NEG-OPEN', 'n', {}],
      ['NEG-ERR', 'n', 'PROTOCOL-ERROR'],
    ],
    [
      ['NEG-OPEN', 'n', {}, 16, NOTHING],
      ['NEG-ERR', 'n', 'PROTOCOL-ERROR'],
    ],
    [
      ['NEG-OPEN', 'n', {}, '6'],
      ['NEG-ERR', 'n', 'PROTOCOL-ERROR'],
    ],
    [
      ['NEG-OPEN', 'n', {}, '6100'],
      ['NEG-ERR', 'n', 'PROTOCOL-ERROR'],
    ],
    [
      ['NEG-OPEN', 'n', {}, '62'],
      ['NEG-MSG', 'n', '61'],
    ],
    [
      ['NEG-OPEN', 'n', { ids: ['ab'] }, NOTHING],
      ['NEG-ERR', 'n', 'invalid: ids holds 64 lower-case hex digits, not "ab"'],
    ],
    [
      ['NEG-OPEN', 'n', [], NOTHING],
      ['NEG-ERR', 'n', 'invalid: no filter'],
    ],
    [
      ['NEG-OPEN', '', {}, NOTHING],
      ['NOTICE', 'invalid: NEG-OPEN needs a subscription id'],
    ],
    [
      ['NEG-MSG', 1, NOTHING],
      ['NOTICE', 'invalid: NEG-MSG needs a subscription id'],
    ],
    [
      ['NEG-OPEN', 'x'.repeat(65), {}, NOTHING],
      ['NEG-ERR', 'x'.repeat(65), 'invalid: a subscription id has at most 64 characters'],
    ],
    [
      ['NEG-MSG', 'x'.repeat(65), NOTHING],
      ['NEG-ERR', 'x'.repeat(65), 'invalid: a subscription id has at most 64 characters'],
    ],
    [['NEG-CLOSE'], ['NOTICE', 'invalid: NEG-CLOSE needs a subscription id']],
    [
      ['NEG-MSG', 'other', NOTHING],
      ['NEG-ERR', 'other', 'closed: unknown subscription handle'],
    ],
  ])('%j is answered %j', async (message, answer) => {
    client.send(message)
    expect(await client.next()).toEqual(answer)
  })

  test('a bad message ends the reconciliation', async () => {
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    await client.next()
    client.send(['NEG-MSG', 'n', '61000009'])
    expect(await client.next()).toEqual(['NEG-ERR', 'n', 'PROTOCOL-ERROR'])
    client.send(['NEG-MSG', 'n', NOTHING])
    expect(await client.next()).toEqual(['NEG-ERR', 'n', 'closed: unknown subscription handle'])
  })
})

describe('limits', () => {
  const restarted = async (negentropy: object, limits: object = {}): Promise<void> => {
    await relay.close()
    await serve({ settings: relaySettings({ negentropy, limits }) })
  }

  test('more events than may be reconciled are refused, and how many may', async () => {
    await restarted({ maxSyncEvents: 10 })
    await publish(stored.slice(0, 11))
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    expect(await client.next()).toEqual(['NEG-ERR', 'n', 'blocked: too many query results', 10])
  })

  test('one connection has so many at once', async () => {
    await restarted({}, { maxSubscriptions: 1 })
    client.send(['NEG-OPEN', 'a', {}, NOTHING])
    await client.next()
    client.send(['NEG-OPEN', 'b', {}, NOTHING])
    expect(await client.next()).toEqual(['NEG-ERR', 'b', 'blocked: too many reconciliations at once'])
  })

  test('sets that are asked nothing for long make room for others, which have to wait until then', async () => {
    await restarted({ maxSyncEvents: 10 })
    await publish(stored.slice(0, 10))
    for (const name of ['a', 'b', 'c']) client.send(['NEG-OPEN', name, {}, NOTHING])
    expect((await client.next()).slice(0, 2)).toEqual(['NEG-MSG', 'a'])
    expect((await client.next()).slice(0, 2)).toEqual(['NEG-MSG', 'b'])
    expect(await client.next()).toEqual(['NEG-ERR', 'c', 'blocked: too many reconciliations at once'])
    relay.clock.advance(31_000)
    client.send(['NEG-MSG', 'a', NOTHING])
    expect((await client.next()).slice(0, 2)).toEqual(['NEG-MSG', 'a'])
    client.send(['NEG-OPEN', 'c', {}, NOTHING])
    expect(await client.next()).toEqual(['NEG-ERR', 'b', 'closed: you took too long to respond'])
    expect((await client.next()).slice(0, 2)).toEqual(['NEG-MSG', 'c'])
  })

  test('it can be switched off', async () => {
    await restarted({ enabled: false })
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    expect(await client.next()).toEqual(['NOTICE', 'invalid: negentropy is switched off'])
  })

  test('a stopping relay ends what is open', async () => {
    client.send(['NEG-OPEN', 'n', {}, NOTHING])
    await client.next()
    void relay.sockets.stop()
    expect(await client.next()).toEqual(['NEG-ERR', 'n', 'closed: the relay is stopping'])
  })
})
