// The relay over a real socket, from the handshake to the goodbye; strangers' frames of every kind.
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { systemClock } from '../../../src/system/index.js'
import { anEvent, RELAY_SETTINGS, relaySettings } from '../../support/relay-parts.js'
import { type ServedRelay, servedRelay } from '../../support/served-relay.js'

let served: ServedRelay | undefined
afterEach(async () => {
  await served?.close()
  served = undefined
})

const serve = async (...changes: Parameters<typeof servedRelay>): Promise<ServedRelay> => {
  served = await servedRelay(...changes)
  return served
}

test('an event is stored, found, and passed on to who listens', async () => {
  const relay = await serve()
  const [reader, author] = [await relay.client(), await relay.client()]
  const [first, second] = [anEvent('anna', { content: 'one' }), anEvent('anna', { content: 'two' })]
  author.send(['EVENT', first])
  expect(await author.next()).toEqual(['OK', first.id, true, ''])
  reader.send(['REQ', 's', { kinds: [1] }])
  expect(await reader.until('EOSE')).toEqual([
    ['EVENT', 's', first],
    ['EOSE', 's'],
  ])
  author.send(['EVENT', second])
  expect(await reader.next()).toEqual(['EVENT', 's', second])
})

test('an event of nearly the largest size goes through, in and out', async () => {
  const relay = await serve()
  const client = await relay.client()
  const event = anEvent('anna', { content: 'ä'.repeat(65_000) })
  client.send(['REQ', 's', {}])
  client.send(['EVENT', event])
  expect(await client.until('EVENT')).toEqual([
    ['EOSE', 's'],
    ['OK', event.id, true, ''],
    ['EVENT', 's', event],
  ])
})

test('with compression the same answers come, compressed for who asked for it', async () => {
  const relay = await serve({}, { compression: true })
  const [plain, packed] = [await relay.client(), await relay.client({ perMessageDeflate: true })]
  const event = anEvent('anna', { content: 'grin '.repeat(4000) })
  packed.send(['EVENT', event])
  expect(await packed.next()).toEqual(['OK', event.id, true, ''])
  for (const client of [plain, packed]) {
    client.send(['REQ', 's', {}])
    expect(await client.next()).toEqual(['EVENT', 's', event])
  }
  expect([plain.socket.extensions, packed.socket.extensions]).toEqual([
    '',
    expect.stringContaining('permessage-deflate'),
  ])
})

const STAYS: readonly { readonly what: string; readonly frame: string | Buffer }[] = [
  { what: 'a binary frame', frame: Buffer.from('["REQ","s",{}]') },
  { what: 'an empty text', frame: '' },
  { what: 'half a message', frame: '["EVENT",{' },
  { what: 'a list in 100,000 lists', frame: '['.repeat(100_000) },
  { what: 'a well-formed list in 50,000 lists', frame: '['.repeat(50_000) + ']'.repeat(50_000) },
  { what: 'a long list of nothing', frame: JSON.stringify(['EVENT', ...Array(40_000).fill(null)]) },
  { what: 'a byte order mark', frame: '\ufeff["REQ","s",{}]' },
  { what: 'an event in a deep list', frame: `["EVENT",${'['.repeat(10_000)}${']'.repeat(10_000)}]` },
  { what: '5,000 filters', frame: JSON.stringify(['REQ', 's', ...Array(5000).fill({})]) },
  {
    what: 'a filter with 40,000 kinds',
    frame: JSON.stringify(['REQ', 's', { kinds: Array.from({ length: 40_000 }, (_, kind) => kind) }]),
  },
  { what: 'a member that would change all objects', frame: '["REQ","s",{"__proto__":{"kinds":7}}]' },
]

test.each(STAYS)('the connection stays after $what', async ({ frame }) => {
  const client = await (await serve()).client()
  client.send(frame)
  const [verb] = await client.next()
  expect(['NOTICE', 'CLOSED', 'EOSE', 'OK']).toContain(verb)
  client.send(['REQ', 'after', {}])
  expect((await client.until('EOSE')).at(-1)).toEqual(['EOSE', 'after'])
})

test('bytes that are no UTF-8 are answered, and the connection stays', async () => {
  const client = await (await serve()).client()
  client.socket.send(Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]), { binary: false })
  expect(await client.next()).toEqual(['NOTICE', 'invalid: message is not UTF-8'])
  client.send(['REQ', 's', {}])
  expect(await client.next()).toEqual(['EOSE', 's'])
})

test('a message in many pieces is one message', async () => {
  const client = await (await serve()).client()
  const text = JSON.stringify(['REQ', 's', {}])
  for (const [at, letter] of [...text].entries()) client.socket.send(letter, { fin: at === text.length - 1 })
  expect(await client.next()).toEqual(['EOSE', 's'])
})

test('a frame over the limit costs the connection', async () => {
  const client = await (await serve()).client()
  client.send(`["REQ","${'s'.repeat(RELAY_SETTINGS.limits.maxMessageBytes)}"]`)
  expect(await client.ended).toBe(1009)
})

test('a message that unpacks to more than the limit costs the connection, not the memory', async () => {
  const client = await (await serve({}, { compression: true })).client({ perMessageDeflate: true })
  client.send(`["REQ","${'s'.repeat(50_000_000)}"]`)
  expect(await client.ended).toBe(1009)
})

test('a frame that is not masked costs the connection', async () => {
  const relay = await serve()
  const client = await relay.client()
  client.socket.send('["REQ"]', { mask: false })
  expect(await client.ended).toBe(1002)
})

/** The first line of the answer to an upgrade. */
const answerTo = (port: number, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const key = Buffer.alloc(16).toString('base64')
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
    )
    socket.once('data', (data) => {
      resolve(String(data).split('\r\n', 1)[0] ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })

test.each([
  ['/', '101 Switching Protocols'],
  ['/?since=today', '101 Switching Protocols'],
  ['/relay', '404 Not Found'],
  ['//', '404 Not Found'],
  ['http://relay.example/', '101 Switching Protocols'],
  ['http://relay.example', '101 Switching Protocols'],
  ['https://relay.example:443/?since=today', '101 Switching Protocols'],
  ['http://relay.example/relay', '404 Not Found'],
])('the relay is at / only: %s', async (path, status) => {
  expect(await answerTo((await serve()).port, path)).toBe(`HTTP/1.1 ${status}`)
})

test('one connection too many is refused, and after one has left the next is welcome', async () => {
  const relay = await serve({ settings: relaySettings({ limits: { maxConnections: 2 } }) })
  const [first] = [await relay.client(), await relay.client()]
  expect(await answerTo(relay.port, '/')).toBe('HTTP/1.1 503 Service Unavailable')
  first.close()
  await vanished(relay, 1)
  expect(await answerTo(relay.port, '/')).toBe('HTTP/1.1 101 Switching Protocols')
})

test('one connection too many of one address is refused', async () => {
  const relay = await serve({ settings: relaySettings({ limits: { maxConnectionsPerAddress: 1 } }) })
  await relay.client()
  expect(await answerTo(relay.port, '/')).toBe('HTTP/1.1 429 Too Many Requests')
})

test('a refused client does not keep the socket, even if it never closes its side', async () => {
  const { port } = await serve()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.write('GET /other HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  socket.resume()
  await new Promise((resolve) => socket.once('end', resolve))
  // The relay has destroyed its end: what comes now is answered with a reset.
  const reset = new Promise((resolve) => socket.once('error', resolve))
  const again = setInterval(() => socket.write('x'), 5)
  expect(await reset).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) })
  clearInterval(again)
  socket.destroy()
})

async function vanished(relay: ServedRelay, left: number): Promise<void> {
  while (relay.sockets.count() > left) await systemClock.sleep(2)
}

test('who does not answer a ping is dropped, who answers stays', async () => {
  const relay = await serve({ settings: relaySettings({ limits: { pingSeconds: 2 } }) })
  const [alive, dead] = [await relay.client(), new WebSocket(relay.url, { autoPong: false })]
  await new Promise((resolve) => dead.on('open', resolve))
  const ended = new Promise((resolve) => dead.on('close', resolve))
  for (let second = 0; second < 4; second++) {
    await relay.clock.advance(1000)
    alive.send(['REQ', 's', {}])
    await alive.until('EOSE')
  }
  await ended
  expect(relay.sockets.count()).toBe(1)
})

test('who does not read is dropped, and the others get everything', async () => {
  const relay = await serve({ settings: relaySettings({ limits: { maxPendingBytes: 1_000_000 } }) })
  const [slow, quick, author] = [await relay.client(), await relay.client(), await relay.client()]
  for (const client of [slow, quick]) {
    client.send(['REQ', 's', { kinds: [20_001] }])
    await client.until('EOSE')
  }
  slow.socket.pause()
  const text = 'x'.repeat(100_000)
  const events = Array.from({ length: 100 }, (_, at) => anEvent('anna', { kind: 20_001, content: `${at}${text}` }))
  for (const event of events) {
    author.send(['EVENT', event])
    expect(await quick.next()).toEqual(['EVENT', 's', event])
  }
  await vanished(relay, 2)
  expect(relay.relay.metrics().connections).toBe(2)
})

test('a relay that stops answers what it has taken in, closes subscriptions, and says goodbye', async () => {
  const relay = await serve()
  const client = await relay.client()
  const event = anEvent('anna')
  client.send(['REQ', 's', { kinds: [7] }])
  await client.until('EOSE')
  client.send(['EVENT', event])
  await client.next()
  const stopping = relay.sockets.stop()
  expect(await client.next()).toEqual(['CLOSED', 's', 'error: the relay is stopping'])
  expect(await client.ended).toBe(1001)
  await stopping
  expect(await answerTo(relay.port, '/')).toBe('HTTP/1.1 503 Service Unavailable')
})

test('the client is known by the address that the front tells', async () => {
  const seen: string[] = []
  const policy = {
    refusalFor: ({ source }: { readonly source: { readonly type: string; readonly info: string } }) => {
      seen.push(`${source.type} ${source.info}`)
      return undefined
    },
    ask: undefined,
  }
  const relay = await serve({ policy }, { addressOf: () => '2001:db8::7' })
  const client = await relay.client()
  client.send(['EVENT', anEvent('anna')])
  await client.next()
  expect(seen).toEqual(['IP6 2001:db8::7'])
})
