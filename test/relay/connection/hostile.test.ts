// Clients that ask for more than anybody needs.
import { expect, test } from 'vitest'
import { relaySettings } from '../../support/relay-parts.js'
import { aSession, quiet, sessionOn } from '../../support/relay-session.js'

test('the values of all filters of a request count together', async () => {
  const session = aSession({ settings: relaySettings({ limits: { maxFilterValues: 10 } }) })
  const six = { kinds: [1, 2, 3, 4, 5, 6] }
  session.say(['REQ', 'one', six])
  session.say(['REQ', 'two', six, six])
  session.say(['COUNT', 'three', six, six])
  expect((await session.answered()).map(([verb, id]) => `${verb} ${id}`)).toEqual([
    'EOSE one',
    'CLOSED two',
    'CLOSED three',
  ])
})

test('large messages of all connections take turns, and small ones do not wait for them', async () => {
  const { relay, ...hostile } = aSession()
  const large = (id: string) => ['REQ', id, { '#t': ['x'.repeat(20_000)] }]
  const small = sessionOn(relay)
  for (let index = 0; index < 20; index++) hostile.say(large(`a${index}`))
  small.say(['REQ', 'b', {}])
  expect(hostile.connection.messages).toEqual([])
  await quiet(0)
  expect(small.connection.isPaused).toBe(false)
  expect(hostile.connection.isPaused).toBe(true)
  expect((await small.answered()).map(([verb]) => verb)).toEqual(['EOSE'])
  await quiet(60)
  expect((await hostile.answered()).map(([verb]) => verb)).toEqual(Array.from({ length: 20 }, () => 'EOSE'))
  expect(hostile.connection.isPaused).toBe(false)
})

test('when all clients together take too much memory, those with the most unsent output are dropped', async () => {
  const { relay, ...greedy } = aSession({ settings: relaySettings({ limits: { maxClientBytes: 1_000_000 } }) })
  const modest = sessionOn(relay)
  greedy.connection.unread = 900_000
  modest.connection.unread = 90_000
  relay.everySecond()
  expect([greedy, modest].map(({ connection }) => connection.endedBy)).toEqual([undefined, undefined])
  modest.connection.unread = 110_000
  relay.everySecond()
  expect(greedy.connection.endedBy).toBe('all clients together take too much memory')
  expect(modest.connection.endedBy).toBeUndefined()
  greedy.say(['REQ', 'a', {}])
  expect(await greedy.answered()).toEqual([])
})

test('filters count as memory as soon as they are asked for', async () => {
  const { relay, ...greedy } = aSession({ settings: relaySettings({ limits: { maxClientBytes: 1_000_000 } }) })
  const modest = sessionOn(relay)
  modest.say(['REQ', 'a', { kinds: [1] }])
  const values = (start: number) => Array.from({ length: 900 }, (_, n) => start + n)
  for (let sub = 0; sub < 12; sub++) greedy.say(['REQ', `s${sub}`, { kinds: values(sub * 1000) }])
  await quiet()
  expect(greedy.connection.endedBy).toBe('all clients together take too much memory')
  expect(modest.connection.endedBy).toBeUndefined()
})
