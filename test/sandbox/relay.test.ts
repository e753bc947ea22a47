// The sandbox's relay over real sockets, and a customer's wallet at it.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Secret } from '../../src/lib/secret.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { publicKeyOf } from '../../src/nostr/keys/index.js'
import { type SandboxRelay, startSandboxRelay } from '../../src/sandbox/index.js'
import { systemRandom } from '../../src/system/index.js'

let relay: SandboxRelay
const sockets: WebSocket[] = []
const secret = new Secret(new Uint8Array(32).fill(7))
const pubkey = publicKeyOf(secret)

beforeAll(async () => {
  relay = await startSandboxRelay()
})

afterAll(async () => {
  for (const socket of sockets) socket.terminate()
  await relay.close()
})

let clockSeconds = 1_760_000_000
const anEvent = (kind: number, content = '', tags: readonly (readonly string[])[] = []): NostrEvent =>
  signEvent({ kind, content, tags, created_at: clockSeconds++ }, secret, systemRandom)

/** A connection, what it heard, and a way to wait for something to be heard. */
async function connect() {
  const socket = new WebSocket(relay.url)
  sockets.push(socket)
  const heard: unknown[][] = []
  socket.on('message', (data) => heard.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  return {
    heard,
    say: (...message: unknown[]) => socket.send(JSON.stringify(message)),
    sayText: (text: string) => socket.send(text),
    hears: (wanted: readonly unknown[]) =>
      vi.waitFor(() => expect(heard.map((message) => message.slice(0, wanted.length))).toContainEqual([...wanted])),
  }
}

describe('the relay', () => {
  test('keeps events and hands them out newest first, then new ones as they come', async () => {
    const [writer, reader] = [await connect(), await connect()]
    const [first, second, third] = [anEvent(1059, 'a'), anEvent(1059, 'b'), anEvent(1059, 'c')]
    for (const event of [first, second]) writer.say('EVENT', event)
    await writer.hears(['OK', second.id, true, ''])
    reader.say('REQ', 'inbox', { kinds: [1059], authors: [pubkey] })
    await reader.hears(['EOSE', 'inbox'])
    expect(reader.heard).toEqual([
      ['EVENT', 'inbox', second],
      ['EVENT', 'inbox', first],
      ['EOSE', 'inbox'],
    ])
    writer.say('EVENT', third)
    await reader.hears(['EVENT', 'inbox', third])
    writer.say('EVENT', third)
    await writer.hears(['OK', third.id, true, 'duplicate: have this event'])
    expect(reader.heard.filter(([verb]) => verb === 'EVENT')).toHaveLength(3)
  })

  test('knows ids, tags, since, until and limit', async () => {
    const client = await connect()
    const tagged = [1, 2, 3].map((count) => anEvent(1059, `tagged ${count}`, [['p', 'ab'.repeat(32)]]))
    for (const event of tagged) client.say('EVENT', event)
    const ask = async (id: string, filter: object) => {
      client.say('REQ', id, filter)
      await client.hears(['EOSE', id])
      return client.heard.flatMap(([verb, name, event]) =>
        verb === 'EVENT' && name === id ? [(event as NostrEvent).content] : [],
      )
    }
    expect(await ask('p', { '#p': ['ab'.repeat(32)] })).toEqual(['tagged 3', 'tagged 2', 'tagged 1'])
    expect(await ask('limit', { '#p': ['ab'.repeat(32)], limit: 1 })).toEqual(['tagged 3'])
    expect(await ask('until', { '#p': ['ab'.repeat(32)], until: tagged[1]?.created_at })).toEqual([
      'tagged 2',
      'tagged 1',
    ])
    expect(await ask('since', { '#p': ['ab'.repeat(32)], since: tagged[2]?.created_at })).toEqual(['tagged 3'])
    expect(await ask('ids', { ids: [tagged[0]?.id] })).toEqual(['tagged 1'])
    expect(await ask('none', { '#p': ['cd'.repeat(32)] })).toEqual([])
  })

  test('keeps only the newest of a replaceable kind', async () => {
    const client = await connect()
    const [older, newer] = [anEvent(10050, 'older'), anEvent(10050, 'newer')]
    client.say('EVENT', newer)
    client.say('EVENT', older)
    await client.hears(['OK', older.id, false])
    client.say('REQ', 'list', { kinds: [10050] })
    await client.hears(['EOSE', 'list'])
    expect(client.heard.filter(([verb]) => verb === 'EVENT')).toEqual([['EVENT', 'list', newer]])
  })

  test('refuses what is forged, and answers what it cannot read', async () => {
    const client = await connect()
    const event = anEvent(1059, 'true')
    client.say('EVENT', { ...event, content: 'false' })
    await client.hears(['OK', event.id, false, 'invalid: bad event'])
    client.sayText('not json')
    await client.hears(['NOTICE'])
    client.say('REQ', 'bad', { kinds: 'all' })
    await client.hears(['CLOSED', 'bad'])
    client.say('REQ', '', {})
    await vi.waitFor(() => expect(client.heard.filter(([verb]) => verb === 'NOTICE')).toHaveLength(2))
  })

  test('a closed subscription is quiet, and there are at most twenty', async () => {
    const client = await connect()
    for (let count = 0; count < 21; count++) client.say('REQ', `s${count}`, { kinds: [9999] })
    await client.hears(['CLOSED', 's20', 'rate-limited: too many subscriptions'])
    client.say('CLOSE', 's0')
    client.say('EVENT', anEvent(9999, 'heard nineteen times'))
    await vi.waitFor(() => expect(client.heard.filter(([verb]) => verb === 'EVENT')).toHaveLength(19))
    expect(client.heard.filter(([verb, id]) => verb === 'EVENT' && id === 's0')).toEqual([])
  })
})
