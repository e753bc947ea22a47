// Questions and events on one connection, to relays that answer oddly.
import { afterEach, expect, test, vi } from 'vitest'
import { type NostrEvent, signEvent } from '../../../src/nostr/event/index.js'
import { createPosts } from '../../../src/nostr/relays/posts.js'
import { systemRandom } from '../../../src/system/index.js'
import { createFakeClock } from '../../support/fake-clock.js'
import { type HostileConnection, startHostileRelay } from '../../support/hostile-relay.js'
import { aPool, newKey, wrapTo } from '../../support/relay-pool.js'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

const payer = newKey()
const FILTER = { kinds: [10_050], authors: [payer.pubkey] }
const list = (created_at: number): NostrEvent =>
  signEvent({ kind: 10_050, created_at, tags: [], content: '' }, payer.secret, systemRandom)

/** Asks a relay that does this at every question. */
async function asked(
  answer: (relay: HostileConnection, sub: string) => void,
  filter: object = FILTER,
  timeoutMs = 10_000,
) {
  const relay = await startHostileRelay({
    heard: (connection, verb, [sub]) => verb === 'REQ' && answer(connection, String(sub)),
  })
  cleanups.push(relay.close)
  const { pool } = aPool({ urls: [relay.url] })
  cleanups.push(pool.close)
  pool.start()
  const events = await pool.query(filter as never, [relay.url], timeoutMs)
  return { events, relay, blamed: () => pool.health()[0]?.blamed }
}

test('lies among the answers are left out and blamed', async () => {
  const [true1, forged, other] = [list(3), { ...list(2), sig: 'f'.repeat(128) }, wrapTo(payer.pubkey)]
  const { events, blamed } = await asked(({ say }, sub) => {
    for (const event of [forged, other, true1, true1, { no: 'event' }]) say(['EVENT', sub, event])
    say(['EOSE', sub])
  })
  expect(events).toEqual([true1])
  expect(blamed()).toBe(2)
})

test('what came until time is up counts', async () => {
  const { events } = await asked(({ say }, sub) => say(['EVENT', sub, list(1)]), FILTER, 300)
  expect(events.length).toBe(1)
})

test('a question that the relay ends is over', async () => {
  const { events } = await asked(({ say }, sub) => say(['CLOSED', sub, 'error: no']))
  expect(events).toEqual([])
})

test('more than was asked for is not waited for', async () => {
  const { events, relay } = await asked(
    ({ say }, sub) => {
      for (let n = 0; n < 10; n++) say(['EVENT', sub, list(n)])
    },
    { ...FILTER, limit: 3 },
  )
  expect(events.length).toBe(3)
  await vi.waitFor(() => expect(relay.heard.at(-1)?.[0]).toBe('CLOSE'))
})

function somePosts(demandAuth = () => false) {
  const clock = createFakeClock()
  const sent: string[] = []
  return { clock, sent, ...createPosts({ clock, send: (frame) => sent.push(frame), demandAuth }) }
}

test('two thousand events wait for their OK, further ones are refused', async () => {
  const { publish, end, waiting, clock } = somePosts()
  const wrap = wrapTo(payer.pubkey)
  const all = Array.from({ length: 2000 }, () => publish(wrap, 1000))
  expect(await publish(wrap, 1000)).toMatchObject({ accepted: false, message: expect.stringContaining('too many') })
  expect(waiting()).toBe(2000)
  end('gone')
  expect(new Set((await Promise.all(all)).map(({ message }) => message))).toEqual(new Set(['gone']))
  expect([waiting(), clock.sleepers()]).toEqual([0, 0])
})

test('an event waits for the given time', async () => {
  const { publish, clock } = somePosts()
  const answer = publish(wrapTo(payer.pubkey), 1000)
  await clock.advance(1000)
  expect(await answer).toMatchObject({ accepted: false, message: 'no answer within 1 s' })
})

test('one OK answers all who sent the same event; duplicate means that the relay has it', async () => {
  const { publish, answered } = somePosts()
  const wrap = wrapTo(payer.pubkey)
  const both = Promise.all([publish(wrap, 1000), publish(wrap, 1000)])
  answered(wrap.id, false, 'duplicate: have this event')
  expect(await both).toEqual(Array(2).fill({ accepted: true, message: 'duplicate: have this event' }))
})

test('refused for want of authentication: once more after it, not twice', async () => {
  const { publish, answered, authenticated, sent } = somePosts(() => true)
  const wrap = wrapTo(payer.pubkey)
  const answer = publish(wrap, 1000)
  answered(wrap.id, false, 'auth-required: who are you?')
  expect(sent.length).toBe(1)
  authenticated()
  expect(sent.length).toBe(2)
  answered(wrap.id, false, 'auth-required: no, really')
  expect(await answer).toEqual({ accepted: false, message: 'auth-required: no, really' })
})

test('an authentication that fails is the answer', async () => {
  const { publish, answered, refused } = somePosts(() => true)
  const wrap = wrapTo(payer.pubkey)
  const answer = publish(wrap, 1000)
  answered(wrap.id, false, 'auth-required: who are you?')
  refused()
  expect(await answer).toMatchObject({ accepted: false, message: expect.stringContaining('did not accept') })
})
