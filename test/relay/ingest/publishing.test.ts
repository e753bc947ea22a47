// What becomes of events (specification: relay, 4 and 5): limits, times, protection, policy, the store and its failures.
import { expect, test } from 'vitest'
import { type EventTemplate, eventText, type NostrEvent } from '../../../src/nostr/event/index.js'
import type { Decision, EventStore, StoreOutcome, WritePolicy } from '../../../src/relay/index.js'
import { fakeEventStore } from '../../support/fake-event-store.js'
import { anEvent, openPolicy, relaySettings, SECONDS, type SettingChanges } from '../../support/relay-parts.js'
import { aSession, quiet, sessionOn } from '../../support/relay-session.js'

const NOTE = anEvent('anna')

async function answerTo(event: NostrEvent, session = aSession()): Promise<readonly unknown[] | undefined> {
  session.say(['EVENT', event])
  const [answer] = await session.answered()
  return answer
}

const DAY = 86_400
const YEARS = 3 * 365 * DAY
const BOUNDS: readonly { readonly what: string; readonly template: Partial<EventTemplate>; readonly text: string }[] = [
  { what: 'the last second of what may come', template: { created_at: SECONDS + 900 }, text: '' },
  { what: 'a second too late', template: { created_at: SECONDS + 901 }, text: 'invalid: created_at too late' },
  { what: 'nearly three years old', template: { created_at: SECONDS - 94_608_000 }, text: '' },
  { what: 'older than that', template: { created_at: SECONDS - YEARS - 1 }, text: 'invalid: created_at too early' },
  { what: 'ephemeral of a minute ago', template: { kind: 20_001, created_at: SECONDS - 60 }, text: '' },
  {
    what: 'ephemeral and older',
    template: { kind: 20_001, created_at: SECONDS - 61 },
    text: 'invalid: ephemeral event expired',
  },
  { what: 'over now', template: { tags: [['expiration', String(SECONDS)]] }, text: 'invalid: event expired' },
  { what: 'over in a second', template: { tags: [['expiration', String(SECONDS + 1)]] }, text: '' },
  { what: 'an end that is no number', template: { tags: [['expiration', 'soon']] }, text: '' },
  { what: '2000 tags', template: { tags: Array.from({ length: 2000 }, () => ['t']) }, text: '' },
  { what: '2001 tags', template: { tags: Array.from({ length: 2001 }, () => ['t']) }, text: 'invalid: too many tags' },
  { what: 'a tag value of 1024 bytes', template: { tags: [['t', 'é'.repeat(512)]] }, text: '' },
  {
    what: 'a tag value of 1025 bytes',
    template: { tags: [['t', `${'é'.repeat(512)}e`]] },
    text: 'invalid: tag value too large',
  },
  { what: 'a long value under a long name', template: { tags: [['title', 'x'.repeat(5000)]] }, text: '' },
  { what: 'a content as long as allowed', template: { content: '🐢'.repeat(10) }, text: '' },
]

test.each(BOUNDS)('bounds: $what', async ({ template, text }) => {
  const event = anEvent('anna', template)
  expect(await answerTo(event)).toEqual(['OK', event.id, text === '', text])
})

test('without a bound in the past everything since 1970 is accepted', async () => {
  const session = aSession({ settings: relaySettings({ limits: { rejectPastSeconds: undefined } }) })
  const event = anEvent('anna', { created_at: 0 })
  expect(await answerTo(event, session)).toEqual(['OK', event.id, true, ''])
})

test('the size that counts is that of the whole event as it is kept', async () => {
  const event = anEvent('anna', { content: '"'.repeat(100) })
  const size = eventText(event)?.bytes.length ?? 0
  const [fits, isTooLarge] = [size, size - 1].map((maxEventBytes) => relaySettings({ limits: { maxEventBytes } }))
  expect(await answerTo(event, aSession({ settings: fits! }))).toEqual(['OK', event.id, true, ''])
  expect(await answerTo(event, aSession({ settings: isTooLarge! }))).toEqual([
    'OK',
    event.id,
    false,
    'invalid: event too large',
  ])
})

test('a content is measured in characters', async () => {
  const settings = relaySettings({ limits: { maxContentLength: 3 } })
  const [short, long] = [anEvent('anna', { content: '🐢🐢🐢' }), anEvent('anna', { content: '🐢🐢🐢🐢' })]
  expect(await answerTo(short, aSession({ settings }))).toEqual(['OK', short.id, true, ''])
  expect(await answerTo(long, aSession({ settings }))).toEqual(['OK', long.id, false, 'invalid: content too large'])
})

const OUTCOMES: readonly { readonly kept: StoreOutcome; readonly accepted: boolean; readonly text: string }[] = [
  { kept: 'stored', accepted: true, text: '' },
  { kept: 'duplicate', accepted: true, text: 'duplicate: have this event' },
  { kept: 'replaced', accepted: false, text: 'replaced: have newer event' },
  { kept: 'deleted', accepted: false, text: 'deleted: user requested deletion' },
  { kept: 'expired', accepted: false, text: 'invalid: event expired' },
  { kept: 'foreign', accepted: false, text: 'blocked: only the author of an event can delete it' },
  { kept: 'too much', accepted: false, text: 'blocked: it names too many large events at once' },
]

test.each(OUTCOMES)('the store says: $kept', async ({ kept, accepted, text }) => {
  const store: EventStore = { ...fakeEventStore(), append: (events) => events.map(() => kept) }
  expect(await answerTo(NOTE, aSession({ store }))).toEqual(['OK', NOTE.id, accepted, text])
})

test('an event that is known needs no signature check', async () => {
  const session = aSession()
  await answerTo(NOTE, session)
  expect(await answerTo(NOTE, session)).toEqual(['OK', NOTE.id, true, 'duplicate: have this event'])
  expect(session.store.batches).toEqual([1])
})

test('what came in one turn is written in one transaction', async () => {
  const session = aSession({ verifier: { submit: (_, done) => void queueMicrotask(() => done(true)) } })
  for (const content of ['1', '2', '3']) session.say(['EVENT', anEvent('anna', { content })])
  expect(await session.answered()).toHaveLength(3)
  expect(session.store.batches).toEqual([3])
})

test('an ephemeral event is passed on and not stored', async () => {
  const session = aSession()
  const event = anEvent('anna', { kind: 20_001 })
  session.say(['REQ', 's', { kinds: [20_001] }])
  session.say(['EVENT', event])
  expect(await session.answered()).toEqual([
    ['EOSE', 's'],
    ['OK', event.id, true, ''],
    ['EVENT', 's', event],
  ])
  expect(session.store.batches).toEqual([])
})

test('the policy speaks before the signature is looked at', async () => {
  const policy: WritePolicy = { ...openPolicy, refusalFor: () => 'blocked: not here' }
  const verifier = { submit: () => expect.unreachable() }
  expect(await answerTo(NOTE, aSession({ policy, verifier }))).toEqual(['OK', NOTE.id, false, 'blocked: not here'])
})

const DECISIONS: readonly {
  readonly decision: Decision
  readonly answer: readonly unknown[]
  readonly stored: number
}[] = [
  { decision: { action: 'accept' }, answer: [true, ''], stored: 1 },
  {
    decision: { action: 'reject', message: 'error: internal error' },
    answer: [false, 'error: internal error'],
    stored: 0,
  },
  { decision: { action: 'shadowReject' }, answer: [true, ''], stored: 0 },
]

test.each(DECISIONS)('who is asked says $decision.action', async ({ decision, answer, stored }) => {
  const session = aSession({ policy: { ...openPolicy, ask: async () => decision } })
  session.say(['REQ', 's', { kinds: [1] }])
  session.say(['EVENT', NOTE])
  const [, ok, ...rest] = await session.answered()
  expect(ok).toEqual(['OK', NOTE.id, ...answer])
  expect([rest.length, session.store.texts.size]).toEqual([stored, stored])
})

test('who is asked hears where the event comes from', async () => {
  const asked: unknown[] = []
  const ask = async ({ source, authed, receivedAt }: Parameters<NonNullable<WritePolicy['ask']>>[0]) => {
    asked.push({ source, authed, receivedAt })
    return { action: 'accept' } as const
  }
  await answerTo(NOTE, aSession({ policy: { ...openPolicy, ask } }))
  expect(asked).toEqual([{ source: { type: 'IP4', info: '127.0.0.1' }, authed: [], receivedAt: SECONDS }])
})

test('a store that fails costs the events of that moment, and nothing else changes', async () => {
  const session = aSession()
  const [first, second] = [anEvent('anna', { content: '1' }), anEvent('anna', { content: '2' })]
  session.say(['REQ', 's', { kinds: [1] }])
  session.store.failure = new Error('database or disk is full')
  session.say(['EVENT', first])
  expect(await session.answered()).toEqual([
    ['EOSE', 's'],
    ['OK', first.id, false, 'error: could not store the event'],
  ])
  session.store.failure = undefined
  session.say(['EVENT', second])
  expect(await session.answered()).toEqual([
    ['OK', second.id, true, ''],
    ['EVENT', 's', second],
  ])
})

test('on a full disk events are refused, but not deletions, ephemeral events and those that are stored', async () => {
  const session = aSession({ hasRoom: () => hasRoom })
  let hasRoom = true
  const stored = anEvent('anna', { content: '1' })
  expect(await answerTo(stored, session)).toEqual(['OK', stored.id, true, ''])
  hasRoom = false
  const text = 'error: the disk of this relay is full, only deletions are stored'
  for (const [template, accepted, words] of [
    [{ content: '2' }, false, text],
    [{ kind: 0 }, false, text],
    [{ kind: 1059, tags: [['p', stored.pubkey]] }, false, text],
    [{ content: '1' }, true, 'duplicate: have this event'],
    [{ kind: 20_001 }, true, ''],
    [{ kind: 5, tags: [['e', stored.id]] }, true, ''],
  ] as const) {
    const event = anEvent('anna', template as Partial<EventTemplate>)
    expect(await answerTo(event, session)).toEqual(['OK', event.id, accepted, words])
  }
  hasRoom = true
  const later = anEvent('anna', { content: '2' })
  expect(await answerTo(later, session)).toEqual(['OK', later.id, true, ''])
})

/** A log that keeps its texts. */
function keptTexts() {
  const texts: string[] = []
  const keep = (_: object, text: string): void => void texts.push(text)
  return { texts, log: { debug() {}, info: keep, warn: keep, error: keep } }
}

const FAILS = 'events cannot be stored'
const HEALED = 'events are stored again'

test('that nothing can be stored is known until something is, or half a minute after the last try', async () => {
  const { texts, log } = keptTexts()
  const session = aSession({ log })
  expect(session.relay.canStore()).toBe(true)
  session.store.failure = new Error('database or disk is full')
  for (const content of ['1', '2']) await answerTo(anEvent('anna', { content }), session)
  expect(session.relay.canStore()).toBe(false)
  await session.clock.advance(29_999)
  expect(session.relay.canStore()).toBe(false)
  await session.clock.advance(1)
  expect(session.relay.canStore()).toBe(true)
  await answerTo(anEvent('anna', { content: '3' }), session)
  expect(session.relay.canStore()).toBe(false)
  session.store.failure = undefined
  await answerTo(anEvent('anna', { content: '4' }), session)
  expect(session.relay.canStore()).toBe(true)
  expect(texts).toEqual([FAILS, HEALED])
})

test('with the disk as measure, what was committed and is not on the disk is not stored', async () => {
  const { texts, log } = keptTexts()
  const session = aSession({ log, settings: relaySettings({ durability: 'fsync' }) })
  session.store.disk = () => Promise.reject(new Error('I/O error'))
  for (const content of ['1', '2', '3']) await answerTo(anEvent('anna', { content }), session)
  expect([session.relay.canStore(), texts]).toEqual([false, [FAILS]])
  session.store.disk = async () => {}
  await answerTo(anEvent('anna', { content: '4' }), session)
  expect([session.relay.canStore(), texts]).toEqual([true, [FAILS, HEALED]])
})

test('an event that the database cannot stand does not take others with it', async () => {
  const session = aSession({ verifier: { submit: (_, done) => void queueMicrotask(() => done(true)) } })
  const events = ['1', 'poison', '3'].map((content) => anEvent('anna', { content }))
  session.store.stands = ({ content }) => {
    if (content === 'poison') throw new Error('constraint failed')
  }
  for (const event of events) session.say(['EVENT', event])
  expect((await session.answered()).map(([, , accepted]) => accepted)).toEqual([true, false, true])
})

test('with the disk as measure answers wait for it; deliveries do not, since a query gets the stored event too', async () => {
  const { promise, resolve } = promiseOf()
  const session = aSession({ settings: relaySettings({ durability: 'fsync' }) })
  session.store.disk = () => promise
  session.say(['REQ', 's', { kinds: [1] }])
  session.say(['EVENT', NOTE])
  expect(await session.answered()).toEqual([
    ['EOSE', 's'],
    ['EVENT', 's', NOTE],
  ])
  expect(session.store.texts.size).toBe(1)
  session.say(['REQ', 't', { kinds: [1] }])
  expect(await session.answered()).toEqual([
    ['EVENT', 't', NOTE],
    ['EOSE', 't'],
  ])
  resolve()
  expect(await session.answered()).toEqual([['OK', NOTE.id, true, '']])
})

test('a duplicate is not acknowledged before its first copy is on the disk', async () => {
  const { promise, resolve } = promiseOf()
  const session = aSession({ settings: relaySettings({ durability: 'fsync' }) })
  session.store.disk = () => promise
  session.say(['EVENT', NOTE])
  await quiet()
  session.say(['EVENT', NOTE])
  expect(await session.answered()).toEqual([])
  resolve()
  expect((await session.answered()).map(([, , , text]) => text)).toEqual(['', 'duplicate: have this event'])
})

test('a disk that fails is no acknowledgement', async () => {
  const session = aSession({ settings: relaySettings({ durability: 'fsync' }) })
  session.store.disk = () => Promise.reject(new Error('I/O error'))
  expect(await answerTo(NOTE, session)).toEqual(['OK', NOTE.id, false, 'error: could not store the event'])
})

function promiseOf(): { readonly promise: Promise<void>; resolve: () => void } {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

const PROTECTED = anEvent('anna', { tags: [['-']] })
const embedding = (embedded: NostrEvent, kind: number) => anEvent('ben', { kind, content: JSON.stringify(embedded) })
const PROTECTION: readonly {
  readonly what: string
  readonly event: NostrEvent
  readonly settings: SettingChanges
  readonly text: string
}[] = [
  { what: 'authentication is off', event: PROTECTED, settings: {}, text: 'blocked: event marked as protected' },
  {
    what: 'the author could prove the key',
    event: PROTECTED,
    settings: { auth: { enabled: true } },
    text: 'auth-required: this event may only be published by its author',
  },
  {
    what: 'a repost of it',
    event: embedding(PROTECTED, 6),
    settings: {},
    text: 'blocked: reposts of protected events are not accepted',
  },
  {
    what: 'a generic repost of it',
    event: embedding(PROTECTED, 16),
    settings: {},
    text: 'blocked: reposts of protected events are not accepted',
  },
  { what: 'a repost of another event', event: embedding(NOTE, 6), settings: {}, text: '' },
  { what: 'a note that quotes it', event: embedding(PROTECTED, 1), settings: {}, text: '' },
  { what: 'a repost of nothing', event: anEvent('ben', { kind: 6, content: 'tags "-"' }), settings: {}, text: '' },
]

test.each(PROTECTION)('protected: $what', async ({ event, settings, text }) => {
  const session = aSession({ settings: relaySettings(settings) })
  await session.answered()
  expect(await answerTo(event, session)).toEqual(['OK', event.id, text === '', text])
})

test('more events a minute than allowed are refused, and the minute passes', async () => {
  const session = aSession({ settings: relaySettings({ limits: { eventsPerMinute: 2 } }) })
  const events = ['1', '2', '3', '4'].map((content) => anEvent('anna', { content }))
  for (const event of events.slice(0, 3)) session.say(['EVENT', event])
  const texts = (await session.answered()).map(([, id, , text]) => [id, text])
  expect(texts).toContainEqual([events[2]?.id, 'rate-limited: too many events a minute'])
  await session.clock.advance(30_000)
  expect(await answerTo(events[3]!, session)).toEqual(['OK', events[3]?.id, true, ''])
})

test('imported events go the same way, except for their age', async () => {
  const { relay, store } = aSession({
    policy: { ...openPolicy, refusalFor: ({ event }) => (event.kind === 4 ? 'blocked: kind' : undefined) },
  })
  const old = anEvent('anna', { created_at: 1_000_000 })
  const events = [old, anEvent('anna', { kind: 4 }), { ...NOTE, sig: old.sig }, PROTECTED]
  const answers = await relay.ingest([...events, undefined], { type: 'Import', info: 'file' })
  expect(answers.map(({ text }) => text)).toEqual([
    '',
    'blocked: kind',
    'invalid: bad signature',
    '',
    'invalid: an event is an object',
  ])
  expect([...store.texts.keys()]).toEqual([old.id, PROTECTED.id])
})

test('an event counts once, under its answer and its class', async () => {
  const session = aSession()
  await answerTo(NOTE, session)
  await answerTo(NOTE, session)
  await answerTo(anEvent('anna', { kind: 1059, tags: [['p', NOTE.pubkey]] }), session)
  session.say(['EVENT', 7])
  await quiet()
  expect(Object.fromEntries(session.relay.metrics().events)).toEqual({
    'accepted regular': 1,
    'duplicate regular': 1,
    'accepted gift wrap': 1,
    'invalid unreadable': 1,
  })
})

test('the answers of one client do not go to another', async () => {
  const first = aSession()
  const second = sessionOn(first.relay)
  first.say(['EVENT', NOTE])
  await quiet()
  expect([first.connection.messages.length, second.connection.messages.length]).toEqual([1, 0])
})
