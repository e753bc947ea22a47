// What sets under reconciliation may take of the memory: they are charged to their connection, which has half of what all may take.
import { describe, expect, test } from 'vitest'
import { anEvent, relaySettings, SECONDS } from '../../support/relay-parts.js'
import { aSession, sessionOn, type TestSession } from '../../support/relay-session.js'

const NOTHING = '6100000200'
/** Half of it for one connection: 60 entries of 200 bytes while they are listed, of 42 bytes afterwards. */
const settings = relaySettings({ limits: { maxClientBytes: 24_000 } })
const open = (session: TestSession, name: string) => session.say(['NEG-OPEN', name, { kinds: [1] }, NOTHING])

async function withEvents(count: number) {
  const session = aSession({ settings })
  for (let number = 0; number < count; number += 1)
    session.say(['EVENT', anEvent('ada', { content: `event ${number}`, created_at: SECONDS - number })])
  for (let accepted = 0; accepted < count; ) accepted += (await session.answered()).length
  return session
}

describe('the sets of one connection', () => {
  test('have as many entries as fit in its share, and the refusal says how many', async () => {
    const session = await withEvents(60)
    open(session, 'a')
    expect((await session.answered()).map((answer) => answer.slice(0, 2))).toEqual([['NEG-MSG', 'a']])
    const other = await withEvents(61)
    open(other, 'a')
    expect(await other.answered()).toEqual([['NEG-ERR', 'a', 'blocked: too many query results', 60]])
  })

  test('share it: a second set is refused until the first is closed', async () => {
    const session = await withEvents(60)
    open(session, 'a')
    open(session, 'b')
    expect((await session.answered()).map((answer) => answer.slice(0, 3))).toEqual([
      ['NEG-MSG', 'a', expect.any(String)],
      ['NEG-ERR', 'b', 'blocked: too many reconciliations at once'],
    ])
    session.say(['NEG-CLOSE', 'a'])
    open(session, 'b')
    expect((await session.answered()).map((answer) => answer.slice(0, 2))).toEqual([['NEG-MSG', 'b']])
  })
})

test('sets count among what all clients together may take: those with the most are dropped', async () => {
  const { relay, ...first } = await withEvents(60)
  const sessions = [first, ...Array.from({ length: 11 }, () => sessionOn(relay))]
  for (const session of sessions) {
    open(session, 'a')
    await session.answered()
  }
  relay.everySecond()
  const dropped = sessions.filter(({ connection }) => connection.endedBy !== undefined)
  expect(new Set(dropped.map(({ connection }) => connection.endedBy))).toEqual(
    new Set(['all clients together take too much memory']),
  )
  // Twelve sets of 60 entries take 30 kB, and nine or fewer of them fit.
  expect(dropped.length).toBeGreaterThanOrEqual(3)
  expect(dropped.length).toBeLessThan(12)
})

describe('filters of reconciliations that wait', () => {
  const most = relaySettings({ limits: { maxFiltersPerConnection: 500 } })
  const TOO_MANY = 'rate-limited: more than 500 filters in all subscriptions of this connection'
  const filters = Array.from({ length: 200 }, (_, at) => ({ kinds: [at], '#t': ['a', 'b'] }))

  /** Nothing is listed for a client that does not read. */
  function aStalledSession() {
    const session = aSession({ settings: most })
    session.connection.unread = 2 * 1_048_576
    session.say(['CLOSE'])
    const read = async () => {
      const before = await session.answered()
      session.connection.unread = 0
      session.drained()
      return [...before, ...(await session.answered())].filter(([verb]) => verb !== 'NOTICE')
    }
    return { ...session, read }
  }

  test('count among those of its connection, together with subscriptions', async () => {
    const session = aStalledSession()
    for (const name of ['a', 'b', 'c']) session.say(['NEG-OPEN', name, filters, NOTHING])
    session.say(['REQ', 'd', ...filters])
    expect((await session.read()).filter(([verb]) => verb !== 'NEG-MSG')).toEqual([
      ['NEG-ERR', 'c', TOO_MANY],
      ['CLOSED', 'd', TOO_MANY],
    ])
  })

  test('one that is opened again under its name, or closed, makes room', async () => {
    const session = aStalledSession()
    for (const name of ['a', 'b', 'b']) session.say(['NEG-OPEN', name, filters, NOTHING])
    session.say(['NEG-CLOSE', 'a'])
    session.say(['REQ', 'd', ...filters])
    expect((await session.read()).map((answer) => answer.slice(0, 2))).toEqual([
      ['EOSE', 'd'],
      ['NEG-MSG', 'b'],
    ])
  })

  test('are let go once the set is listed', async () => {
    const session = aSession({ settings: most })
    for (const name of ['a', 'b', 'c', 'd']) session.say(['NEG-OPEN', name, filters, NOTHING])
    expect((await session.answered()).map(([verb]) => verb)).toEqual(['NEG-MSG', 'NEG-MSG', 'NEG-MSG', 'NEG-MSG'])
  })
})

test('messages that are not answered count as memory of their connection', async () => {
  const session = aSession({ settings: relaySettings({ limits: { maxClientBytes: 1_500_000 } }) })
  // Nothing is answered to a client that does not read.
  session.connection.unread = 1_100_000
  const long = `61${'00'.repeat(100_000)}`
  for (let number = 0; number < 3; number += 1) session.say(['NEG-OPEN', `short ${number}`, { kinds: [1] }, NOTHING])
  await session.answered()
  session.relay.everySecond()
  expect(session.connection.endedBy).toBeUndefined()
  for (let number = 0; number < 5; number += 1) session.say(['NEG-OPEN', `long ${number}`, { kinds: [1] }, long])
  await session.answered()
  session.relay.everySecond()
  expect(session.connection.endedBy).toBe('all clients together take too much memory')
})

test('while memory is short NEG-OPEN is refused, and what is open goes on', async () => {
  let [used, number] = [100, 0]
  const measure = () => ({ used, number: ++number })
  const session = aSession({ heap: { limit: 1000, last: measure, measure } })
  open(session, 'a')
  expect(await session.answered()).toEqual([['NEG-MSG', 'a', NOTHING]])
  used = 700
  session.relay.everySecond()
  open(session, 'b')
  session.say(['NEG-MSG', 'a', NOTHING])
  expect(await session.answered()).toEqual([
    ['NEG-ERR', 'b', 'rate-limited: the relay is short of memory, try again later'],
    ['NEG-MSG', 'a', NOTHING],
  ])
})
