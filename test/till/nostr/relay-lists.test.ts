// Where payers read: looked up quickly, remembered, and never trusted further than to a public relay.
import { describe, expect, test } from 'vitest'
import { signEvent } from '../../../src/nostr/event/index.js'
import { createRelayLists, targetsOf } from '../../../src/till/nostr/relay-lists.js'
import { createFakeClock, settled } from '../../support/fake-clock.js'
import { createFakeRelays } from '../../support/fake-relays.js'
import { keyPairOf, seededRandom } from '../../support/nostr.js'
import { MINUTE, SECOND } from '../../support/till-builders.js'

const [A, B] = ['wss://a.example', 'wss://b.example']
const payer = keyPairOf('payer')
const listOf = (urls: readonly string[], created_at = 1, who = payer) =>
  signEvent(
    { kind: 10050, created_at, tags: urls.map((url) => ['relay', url]), content: '' },
    who.secret,
    seededRandom(`list ${created_at}`),
  )

function given() {
  const [clock, relays] = [createFakeClock(), createFakeRelays([A, B])]
  const lists = createRelayLists({ relays, urls: [A, B], clock })
  const put = (url: string, event: ReturnType<typeof listOf>) => relays.relay(url).events.set(event.id, event)
  const asked = () => relays.log.filter((line) => line === 'query').length
  return { clock, relays, lists, put, asked }
}

describe('looking up', () => {
  test('finds the newest of all relays', async () => {
    const { lists, put } = given()
    put(A, listOf(['wss://old.example'], 1))
    put(B, listOf(['wss://new.example'], 2))
    expect((await lists.find(payer.pubkey))?.tags).toEqual([['relay', 'wss://new.example']])
  })

  test('is done once and remembered for ten minutes, also while it runs', async () => {
    const { lists, put, asked, clock } = given()
    put(A, listOf([A]))
    lists.lookAhead(payer.pubkey)
    await Promise.all([lists.find(payer.pubkey), lists.find(payer.pubkey)])
    expect(asked()).toBe(2)
    await clock.advance(9 * MINUTE)
    await lists.find(payer.pubkey)
    expect(asked()).toBe(2)
    await clock.advance(2 * MINUTE)
    await lists.find(payer.pubkey)
    expect(asked()).toBe(4)
  })

  test('of a list that no relay has is repeated after half a minute', async () => {
    const { lists, put, clock } = given()
    expect(await lists.find(payer.pubkey)).toBeUndefined()
    put(A, listOf([A]))
    expect(await lists.find(payer.pubkey)).toBeUndefined()
    await clock.advance(31 * SECOND)
    expect(await lists.find(payer.pubkey)).toBeDefined()
  })

  test('does not wait for a relay that is away', async () => {
    const { lists, relays, asked } = given()
    relays.relay(B).up = false
    await lists.find(payer.pubkey)
    expect(asked()).toBe(1)
  })

  test('waits only a moment for others once one relay has a list', async () => {
    const { lists, relays, put, clock } = given()
    const list = listOf([A])
    put(A, list)
    const { query } = relays
    relays.query = (filter, urls, ms) => (urls[0] === B ? new Promise(() => {}) : query(filter, urls, ms))
    const found = lists.find(payer.pubkey)
    await settled()
    await clock.advance(300)
    expect(await found).toEqual(list)
    expect(clock.sleepers()).toBe(0)
  })

  test('gives a relay that never answers no more than a second once another has none', async () => {
    const { lists, relays, clock } = given()
    const { query } = relays
    relays.query = (filter, urls, ms) => (urls[0] === B ? new Promise(() => {}) : query(filter, urls, ms))
    const found = lists.find(payer.pubkey).then(() => 'done')
    const stateAfter = async (ms: number) => {
      await clock.advance(ms)
      return Promise.race([found, settled().then(() => 'looking')])
    }
    await settled()
    expect(await stateAfter(999)).toBe('looking')
    expect(await stateAfter(1)).toBe('done')
    expect(clock.sleepers()).toBe(0)
  })

  test('takes no list of another author or kind, and no failure hurts', async () => {
    const { lists, relays } = given()
    relays.query = async () => [listOf([A], 1, keyPairOf('mallory')), { ...listOf([A]), kind: 10002 }]
    expect(await lists.find(payer.pubkey)).toBeUndefined()
    relays.query = () => Promise.reject(new Error('closed'))
    expect(await lists.find('b'.repeat(64))).toBeUndefined()
  })

  test('strangers cannot start more than 32 at once', async () => {
    const { lists, relays, asked } = given()
    const { query } = relays
    relays.query = (...question) => {
      void query(...question)
      return new Promise(() => {})
    }
    for (let n = 0; n < 100; n += 1) lists.lookAhead(n.toString(16).padStart(64, '0'))
    expect(asked()).toBe(64)
  })
})

describe('targets', () => {
  test('are the own relays and three more of the list', () => {
    const list = listOf(['wss://c.example', 'wss://d.example', 'wss://e.example', 'wss://f.example'])
    expect(targetsOf(list, [A, B])).toEqual([A, B, 'wss://c.example', 'wss://d.example', 'wss://e.example'])
    expect(targetsOf(undefined, [A, B])).toEqual([A, B])
  })

  test('name each relay once, however it is spelled', () => {
    expect(targetsOf(listOf(['wss://A.example:443/', 'wss://c.example/', 'wss://C.example']), [A])).toEqual([
      A,
      'wss://c.example',
    ])
  })

  test.each([
    'ws://plain.example',
    'wss://127.0.0.1',
    'wss://[::1]:7777',
    'wss://10.1.2.3',
    'wss://169.254.169.254',
    'wss://localhost',
    'wss://printer.local',
    'wss://user:pass@relay.example',
    'https://relay.example',
    'no address',
    '',
    `wss://${'x'.repeat(600)}.example`,
  ])('a stranger cannot send us to %.40s', (url) => {
    expect(targetsOf(listOf([url]), [A])).toEqual([A])
  })

  test('a list without end is not read to its end', () => {
    const noise = Array.from({ length: 1000 }, (_, n) => `ws://${n}.example`)
    expect(targetsOf(listOf([...noise, 'wss://c.example']), [A])).toEqual([A])
  })
})
