// Searches (NIP-50) of clients over real sockets, while the relay runs and across changes of its settings.
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type EventTemplate, type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { openSqlite } from '../../src/storage/sqlite/sqlite.js'
import { systemRandom } from '../../src/system/index.js'
import { keyPairOf } from '../support/nostr.js'
import { type RelayClient, relayClient } from '../support/relay-client.js'
import { relayDaemon } from '../support/relay-daemon.js'

const ON = 'search.enabled = true\nauthorization.public_note_authors = "everyone"'
const OFF = 'authorization.public_note_authors = "everyone"'
const START = Math.floor(Date.now() / 1000) - 1000

const cleanups: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function started(toml: string, lent?: { readonly dataDir: string }) {
  const relay = await relayDaemon(toml, lent)
  cleanups.push(relay.close)
  await relay.daemon.start()
  const client = await relayClient(relay.daemon.address().replace('http', 'ws'))
  cleanups.push(client.close)
  return { relay, client }
}

function signed(name: string, age: number, members: Partial<EventTemplate>): NostrEvent {
  const template = { kind: 1, tags: [], content: '', ...members, created_at: START - age }
  return signEvent(template, keyPairOf(name).secret, systemRandom)
}
const profile = (name: string, age: number, content: object) =>
  signed(name, age, { kind: 0, content: JSON.stringify(content) })

const alice = profile('alice', 90, { name: 'Alice', about: 'pays with GRIN', nip05: 'ally@shop.example' })
const bob = profile('bob', 10, { name: 'bob', about: 'a friend of Alice' })
const cafe = signed('bob', 50, { content: 'Das Café in Zürich nimmt grin.' })
const japanese = signed('carol', 40, { content: '日本語で検索できます' })
const offer = signed('carol', 30, {
  kind: 30_402,
  tags: [
    ['d', 'bike'],
    ['title', 'Red bicycle'],
    ['location', 'Zürich'],
  ],
  content: 'Used. Price in grin.',
})
const reaction = signed('dave', 5, { kind: 7, content: 'grin' })
const EVERYTHING = [alice, bob, cafe, japanese, offer, reaction]

async function publish(client: RelayClient, events: readonly NostrEvent[]): Promise<void> {
  for (const event of events) client.send(['EVENT', event])
  for (const { id } of events) expect(await client.next()).toEqual(['OK', id, true, ''])
}

async function found(client: RelayClient, ...filters: readonly object[]): Promise<readonly unknown[]> {
  client.send(['REQ', 's', ...filters])
  const messages = await client.until('EOSE')
  client.send(['CLOSE', 's'])
  return messages.flatMap(([, , event]) => (event ? [(event as NostrEvent).id] : []))
}

const ids = (...events: readonly NostrEvent[]) => events.map(({ id }) => id)

describe('a relay with search', () => {
  let filled: Awaited<ReturnType<typeof started>>
  const undo: typeof cleanups = []
  beforeAll(async () => {
    filled = await started(ON)
    undo.push(...cleanups.splice(0))
    await publish(filled.client, EVERYTHING)
  })
  afterAll(async () => {
    for (const cleanup of undo.reverse()) await cleanup()
  })

  test.each<[string, object, readonly NostrEvent[]]>([
    ['a word in any case, newest first', { search: 'GRIN' }, [offer, cafe, alice]],
    ['names and titles before other texts', { search: 'alice' }, [alice, bob]],
    ['the beginning of a name', { search: 'ali' }, [alice]],
    ['the beginning of an address', { search: 'ally' }, [alice]],
    ['letters without accents', { search: 'zurich cafe' }, [cafe]],
    ['a language without blanks', { search: '検索' }, [japanese]],
    ['one character of it', { search: '語' }, [japanese]],
    ['listings by title and place', { search: 'bicycle zürich' }, [offer]],
    ['every word', { search: 'grin bicycle used' }, [offer]],
    ['kinds', { search: 'grin', kinds: [0, 7] }, [alice]],
    ['authors', { search: 'grin', authors: [keyPairOf('bob').pubkey] }, [cafe]],
    ['times', { search: 'grin', since: START - 60, until: START - 40 }, [cafe]],
    ['a limit', { search: 'grin', limit: 1 }, [offer]],
    ['ids', { search: 'grin', ids: ids(bob, cafe) }, [cafe]],
    ['words without extensions', { search: 'include:spam grin language:en' }, [offer, cafe, alice]],
    ['no other kinds', { search: 'grin', kinds: [7] }, []],
    ['nothing without a word', { search: 'include:spam' }, []],
  ])('finds by %s', async (_, filter, expected) => {
    expect(await found(filled.client, filter)).toEqual(ids(...expected))
  })

  test('finds each event once by several searches', async () => {
    const { client } = filled
    expect(await found(client, { search: 'cafe' }, { search: 'zurich', limit: 1 })).toEqual(ids(cafe, offer))
  })

  test('passes on new events that match', async () => {
    const { client } = filled
    const [other, match] = [signed('erin', 2, { content: 'a word' }), signed('erin', 1, { content: 'Quokka' })]
    client.send(['REQ', 'live', { search: 'quokka' }])
    expect(await client.next()).toEqual(['EOSE', 'live'])
    client.send(['EVENT', other])
    expect(await client.next()).toEqual(['OK', other.id, true, ''])
    client.send(['EVENT', match])
    const both = [await client.next(), await client.next()]
    expect(both).toContainEqual(['EVENT', 'live', match])
    expect(both).toContainEqual(['OK', match.id, true, ''])
    client.send(['CLOSE', 'live'])
  })

  const invalid = (text: string): unknown => ['CLOSED', 's', `invalid: ${text}`]
  test.each<[readonly unknown[], unknown]>([
    [['REQ', 's', { search: 5 }], invalid('search is a text, not 5')],
    [['REQ', 's', { search: 'x'.repeat(257) }], invalid('search is longer than 256 characters')],
    [
      ['REQ', 's', { search: 'a b c d e f g h i j k l m' }],
      invalid('search has more than 12 words (without blanks between words: characters)'),
    ],
    [['REQ', 's', { search: 'grin' }, { kinds: [1] }], invalid('filters with and without search in one request')],
    [['REQ', 's', ...Array(5).fill({ search: 'grin' })], invalid('more than 4 searches in one request')],
    [
      ['COUNT', 's', { search: 'grin' }],
      ['CLOSED', 's', 'unsupported: COUNT of a search'],
    ],
    [
      ['NEG-OPEN', 's', { search: 'grin' }, '6100'],
      ['NEG-ERR', 's', 'unsupported: a search cannot be reconciled'],
    ],
  ])('answers %j with a reason', async (message, answer) => {
    filled.client.send(message)
    expect(await filled.client.next()).toEqual(answer)
  })

  test('says so in its document', async () => expect(await nipsOf(filled)).toContain(50))

  test('forgets what is deleted or replaced, and finds the same after a restart', async () => {
    const newer = profile('alice', 1, { name: 'Alicia' })
    const deletion = signed('bob', 0, { kind: 5, tags: [['e', cafe.id]] })
    await publish(filled.client, [newer, deletion])
    const { relay } = filled
    const look = async (client: RelayClient) => {
      expect(await found(client, { search: 'grin' })).toEqual(ids(offer))
      expect(await found(client, { search: 'alic' })).toEqual(ids(newer))
    }
    await look(filled.client)
    await relay.daemon.stop()
    await look((await started(ON, { dataDir: relay.dataDir })).client)
  })
})

async function nipsOf({ relay }: Awaited<ReturnType<typeof started>>): Promise<readonly number[]> {
  const response = await relay.get('/', { headers: { accept: 'application/nostr+json' } })
  return ((await response.json()) as { supported_nips: number[] }).supported_nips
}

describe('switching', () => {
  const tablesOf = (dataDir: string): readonly unknown[] => {
    const db = openSqlite(join(dataDir, 'relay.db'), 'reading')
    const names = db.all("SELECT name FROM sqlite_schema WHERE name LIKE 'search%'").flat()
    db.close()
    return names
  }

  test('search on indexes old events, and off removes its tables', async () => {
    const before = await started(OFF)
    expect(await nipsOf(before)).not.toContain(50)
    await publish(before.client, EVERYTHING)
    expect(await found(before.client, { search: 'grin' })).toEqual([])
    await before.relay.daemon.stop()
    const { dataDir } = before.relay
    expect(tablesOf(dataDir)).toEqual([])

    const on = await started(ON, { dataDir })
    expect(await found(on.client, { search: 'grin' })).toEqual(ids(offer, cafe, alice))
    await on.relay.daemon.stop()
    expect(tablesOf(dataDir)).toContain('search_row')

    const profiles = await started(`${ON}\nsearch.kinds = [0]`, { dataDir })
    expect(await found(profiles.client, { search: 'grin' })).toEqual(ids(alice))
    await profiles.relay.daemon.stop()

    const off = await started(OFF, { dataDir })
    expect(await found(off.client, { search: 'grin' })).toEqual([])
    expect(await found(off.client, { kinds: [0] })).toEqual(ids(bob, alice))
    await off.relay.daemon.stop()
    expect(tablesOf(dataDir)).toEqual([])
  })
})
