// Subscriptions: stored events, EOSE, new events, limits, and what happens in between.
import { expect, test } from 'vitest'
import type { EventStore } from '../../../src/relay/index.js'
import { fakeEventStore } from '../../support/fake-event-store.js'
import { anEvent, relaySettings, SECONDS } from '../../support/relay-parts.js'
import { aSession, quiet, sessionOn } from '../../support/relay-session.js'

const NOTES = [0, 1, 2, 3, 4].map((age) => anEvent('anna', { created_at: SECONDS - age, content: String(age) }))

async function withNotes(session = aSession()) {
  for (const note of NOTES) session.say(['EVENT', note])
  await session.answered()
  return session
}

test('stored events come newest first, then EOSE', async () => {
  const session = await withNotes()
  session.say(['REQ', 's', { kinds: [1] }])
  expect(await session.answered()).toEqual([...NOTES.map((note) => ['EVENT', 's', note]), ['EOSE', 's']])
})

test('a wish for more than the limit is cut to it, and without a wish the default counts', async () => {
  const settings = relaySettings({ limits: { maxLimit: 3, defaultLimit: 2 } })
  const session = await withNotes(aSession({ settings }))
  for (const filter of [{ limit: 1000 }, {}, { limit: 1 }, { limit: 0 }]) session.say(['REQ', 's', filter])
  const answers = (await session.answered()).map(([verb]) => verb)
  expect(answers).toEqual(['EVENT', 'EVENT', 'EVENT', 'EOSE', 'EVENT', 'EVENT', 'EOSE', 'EVENT', 'EOSE', 'EOSE'])
})

test('an event that two filters match comes once', async () => {
  const session = await withNotes()
  session.say(['REQ', 's', { ids: [NOTES[0]?.id] }, { kinds: [1], limit: 1 }])
  expect(await session.answered()).toEqual([
    ['EVENT', 's', NOTES[0]],
    ['EOSE', 's'],
  ])
})

test('new events go to every subscription that wants them, and to no other', async () => {
  const session = aSession()
  const other = sessionOn(session.relay)
  session.say(['REQ', 'all', {}])
  session.say(['REQ', 'letters', { kinds: [1059] }])
  other.say(['REQ', 'notes', { kinds: [1] }])
  await Promise.all([session.answered(), other.answered()])
  session.say(['EVENT', NOTES[0]])
  expect(await session.answered()).toEqual([
    ['OK', NOTES[0]?.id, true, ''],
    ['EVENT', 'all', NOTES[0]],
  ])
  expect(await other.answered()).toEqual([['EVENT', 'notes', NOTES[0]]])
})

test('after CLOSE nothing more comes', async () => {
  const session = aSession()
  session.say(['REQ', 's', {}])
  session.say(['CLOSE', 's'])
  session.say(['EVENT', NOTES[0]])
  expect((await session.answered()).map(([verb]) => verb)).toEqual(['EOSE', 'OK'])
})

test('after the connection is gone nothing is kept of it', async () => {
  const session = aSession()
  session.say(['REQ', 's', {}])
  await session.answered()
  session.gone()
  expect(session.relay.metrics()).toMatchObject({ connections: 0, subscriptions: 0 })
})

test('the same name again replaces the subscription, and has its own EOSE', async () => {
  const session = aSession()
  session.say(['REQ', 's', { kinds: [7] }])
  session.say(['REQ', 's', { kinds: [7] }])
  session.say(['REQ', 's', { kinds: [1] }])
  session.say(['EVENT', NOTES[0]])
  expect((await session.answered()).map(([verb]) => verb)).toEqual(['EOSE', 'EOSE', 'EOSE', 'OK', 'EVENT'])
  expect(session.relay.metrics().subscriptions).toBe(1)
})

test('a bad REQ ends the subscription of that name', async () => {
  const session = aSession()
  session.say(['REQ', 's', {}])
  session.say(['REQ', 's', 7])
  session.say(['EVENT', NOTES[0]])
  expect((await session.answered()).map(([verb]) => verb)).toEqual(['EOSE', 'CLOSED', 'OK'])
})

test('one subscription too many is refused, the others stay', async () => {
  const session = aSession({ settings: relaySettings({ limits: { maxSubscriptions: 2 } }) })
  for (const name of ['a', 'b', 'c']) session.say(['REQ', name, {}])
  expect(await session.answered()).toEqual([
    ['EOSE', 'a'],
    ['EOSE', 'b'],
    ['CLOSED', 'c', 'rate-limited: too many subscriptions'],
  ])
  session.say(['REQ', 'b', {}])
  expect(await session.answered()).toEqual([['EOSE', 'b']])
})

test('more subscriptions a minute than allowed are refused', async () => {
  const session = aSession({ settings: relaySettings({ limits: { subscriptionsPerMinute: 2 } }) })
  for (const name of ['a', 'b', 'c']) session.say(['REQ', name, {}])
  expect((await session.answered()).at(-1)).toEqual(['CLOSED', 'c', 'rate-limited: too many subscriptions a minute'])
})

test('more filters than allowed are refused', async () => {
  const session = aSession({ settings: relaySettings({ limits: { maxFilters: 2 } }) })
  session.say(['REQ', 's', {}, {}])
  session.say(['REQ', 't', {}, {}, {}])
  expect(await session.answered()).toEqual([
    ['EOSE', 's'],
    ['CLOSED', 't', 'invalid: too many filters'],
  ])
})

test('what comes while stored events are read comes after EOSE, and once', async () => {
  const session = aSession()
  session.connection.unread = 2_000_000 // the answer waits until the client reads
  const ephemeral = anEvent('anna', { kind: 20_001 })
  session.say(['REQ', 's', {}])
  session.say(['EVENT', NOTES[0]])
  session.say(['EVENT', ephemeral])
  expect((await session.answered()).map(([verb]) => verb)).toEqual(['OK', 'OK'])
  session.connection.unread = 0
  session.drained()
  expect(await session.answered()).toEqual([
    ['EVENT', 's', NOTES[0]],
    ['EOSE', 's'],
    ['EVENT', 's', ephemeral],
  ])
})

test('more new events than can wait end the subscription, not the connection', async () => {
  const session = aSession({ verifier: { submit: (_, done) => void queueMicrotask(() => done(true)) } })
  session.connection.unread = 2_000_000
  const crowd = sessionOn(session.relay)
  session.say(['REQ', 's', {}])
  const long = 'x'.repeat(60_000)
  for (let at = 0; at < 80; at++) crowd.say(['EVENT', anEvent('anna', { content: `${at}${long}` })])
  await quiet(200) // each of them stands in line
  expect(await session.answered()).toEqual([['CLOSED', 's', 'error: more new events than you read stored ones']])
  expect(session.connection.endedBy).toBeUndefined()
})

test('a store that cannot be read closes the subscription', async () => {
  const store: EventStore = {
    ...fakeEventStore(),
    find: () => {
      throw new Error('I/O error')
    },
  }
  const session = aSession({ store })
  session.say(['REQ', 's', {}])
  expect(await session.answered()).toEqual([['CLOSED', 's', 'error: could not read the stored events']])
})

test('a COUNT counts beyond limits of filters, and says when it stopped', async () => {
  const session = await withNotes(aSession({ settings: relaySettings({ countMax: 4 }) }))
  session.say(['COUNT', 'c', { kinds: [1], since: SECONDS - 2, limit: 1 }])
  session.say(['COUNT', 'd', { kinds: [1] }])
  expect(await session.answered()).toEqual([
    ['COUNT', 'c', { count: 3 }],
    ['COUNT', 'd', { count: 4, limited: true }],
  ])
})

test('a COUNT and a REQ of one name do not disturb each other', async () => {
  const session = await withNotes()
  session.say(['COUNT', 's', { kinds: [1] }])
  session.say(['REQ', 's', { kinds: [1], limit: 1 }])
  expect((await session.answered()).map(([verb]) => verb).sort()).toEqual(['COUNT', 'EOSE', 'EVENT'])
})

test('COUNT can be switched off', async () => {
  const session = aSession({ settings: relaySettings({ countMax: 0 }) })
  session.say(['COUNT', 'c', {}])
  expect(await session.answered()).toEqual([['CLOSED', 'c', 'unsupported: COUNT is switched off']])
})
