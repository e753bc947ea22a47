import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createOpenWebSocket, type WebSocketOptions } from '../../src/system/web-socket.js'
import { CERTIFICATE, KEY } from '../support/test-certificate.js'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** Listens on 127.0.0.1 and greets with what the test says. */
async function aServer(greet: (socket: WebSocket) => void, server: Server = createServer()) {
  const sockets = new WebSocketServer({ server, perMessageDeflate: true })
  sockets.on('connection', (socket, request) => {
    headers.push(request.headers)
    socket.on('error', () => undefined)
    greet(socket)
  })
  const headers: Record<string, unknown>[] = []
  const port = await listening(server)
  cleanups.push(() => {
    for (const client of sockets.clients) client.terminate()
  })
  return { port, url: `ws://127.0.0.1:${port}`, headers, sockets }
}

async function listening(server: ReturnType<typeof createTcpServer> | Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => server.close())
  return (server.address() as AddressInfo).port
}

const life = () => new AbortController().signal
const REQUEST = { timeoutMs: 5000, maxFrameBytes: 1000, publicOnly: false }

async function open(
  url: string,
  request: Partial<typeof REQUEST> & { signal?: AbortSignal } = {},
  options?: WebSocketOptions,
) {
  const frames: string[] = []
  const ends: unknown[] = []
  let pongs = 0
  const socket = await createOpenWebSocket(options)(
    { url, signal: life(), ...REQUEST, ...request },
    {
      frame: (text) => frames.push(text),
      ping: () => undefined,
      pong: () => pongs++,
      closed: (end) => ends.push(end),
    },
  )
  cleanups.push(socket.terminate)
  return { socket, frames, ends, pongs: () => pongs }
}

const waitFor = (check: () => void) => vi.waitFor(check, { timeout: 5000, interval: 5 })

test('frames go both ways, uncompressed, and pings are answered', async () => {
  const server = await aServer((socket) => socket.on('message', (data) => socket.send(`you said ${data}`)))
  const { socket, frames, pongs } = await open(server.url)
  socket.send('ä')
  socket.ping()
  await waitFor(() => expect(frames).toEqual(['you said ä']))
  await waitFor(() => expect(pongs()).toBe(1))
  expect(server.headers[0]).not.toHaveProperty('sec-websocket-extensions')
})

test('a frame that comes with the handshake is not lost', async () => {
  const server = await aServer((socket) => socket.send('first'))
  const { frames } = await open(server.url)
  await waitFor(() => expect(frames).toEqual(['first']))
})

test('a frame over the cap ends the connection and says so', async () => {
  const server = await aServer((socket) => socket.send('x'.repeat(1001)))
  const { frames, ends } = await open(server.url)
  await waitFor(() => expect(ends).toEqual([{ reason: 'Max payload size exceeded', fault: 'oversize' }]))
  expect(frames).toEqual([])
})

test('the end is reported once, with the reason of the other side', async () => {
  const server = await aServer((socket) => socket.close(4000, 'maintenance'))
  const { ends } = await open(server.url)
  await waitFor(() => expect(ends).toEqual([{ reason: 'closed with 4000: maintenance' }]))
})

test('the words of the other side cannot move a cursor or turn a text around', async () => {
  const server = await aServer((socket) => socket.close(4000, '\u001b[2J\r\nall is well\u202e'))
  const { ends } = await open(server.url)
  await waitFor(() => expect(ends).toEqual([{ reason: 'closed with 4000:  [2J all is well ' }]))
})

test('a paused socket hears nothing until it is resumed', async () => {
  const server = await aServer((socket) => socket.on('message', () => socket.send('answer')))
  const { socket, frames, pongs } = await open(server.url)
  socket.pause()
  socket.send('question')
  const other = await open(server.url)
  other.socket.send('question')
  await waitFor(() => expect(other.frames).toEqual(['answer']))
  expect([frames, pongs()]).toEqual([[], 0])
  socket.resume()
  await waitFor(() => expect(frames).toEqual(['answer']))
})

test('a paused socket can be closed politely', async () => {
  const server = await aServer(() => undefined)
  const { socket, ends } = await open(server.url)
  socket.pause()
  socket.close()
  await waitFor(() => expect(ends).toEqual([{ reason: 'closed with 1000' }]))
})

test('a redirect is not followed', async () => {
  const target = await aServer(() => undefined)
  const port = await listening(createServer((_, response) => response.writeHead(302, { location: target.url }).end()))
  await expect(open(`ws://127.0.0.1:${port}`)).rejects.toThrow('Unexpected server response: 302')
  expect(target.headers).toEqual([])
})

test('a server that never answers the handshake is given up in time', async () => {
  const port = await listening(createTcpServer((socket) => cleanups.push(() => socket.destroy())))
  await expect(open(`ws://127.0.0.1:${port}`, { timeoutMs: 50 })).rejects.toThrow('no answer within 0.05 s')
})

test('an attempt can be ended', async () => {
  const port = await listening(createTcpServer((socket) => cleanups.push(() => socket.destroy())))
  const controller = new AbortController()
  const attempt = open(`ws://127.0.0.1:${port}`, { signal: controller.signal })
  setImmediate(() => controller.abort())
  await expect(attempt).rejects.toThrow('closed before the connection was established')
})

test('no server there', async () => {
  const port = await listening(createTcpServer())
  cleanups.pop()?.()
  await expect(open(`ws://127.0.0.1:${port}`)).rejects.toThrow('ECONNREFUSED')
})

test('a public name that leads inside is not dialled for others', async () => {
  const server = await aServer(() => undefined)
  const asked: string[] = []
  const resolve = ((name: string, _: unknown, answer: (error: null, addresses: unknown) => void) => {
    asked.push(name)
    answer(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  }) as unknown as NonNullable<WebSocketOptions['resolve']>
  const url = `ws://relay.example:${server.port}`
  await expect(open(url, { publicOnly: true }, { resolve })).rejects.toThrow('not dialled for others')
  expect([asked, server.headers]).toEqual([['relay.example'], []])
})

test('an inside address is not dialled for others, nor the name of one', async () => {
  const server = await aServer(() => undefined)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '0.0.0.0'])
    await expect(open(`ws://${host}:${server.port}`, { publicOnly: true })).rejects.toThrow('not dialled for others')
  expect(server.headers).toEqual([])
})

test('nor a public address of this machine, by number or by name', async () => {
  const ownAddresses = () => ['8.8.8.8', '2606:4700::1111']
  const resolve = ((_: string, __: unknown, answer: (error: null, addresses: unknown) => void) =>
    answer(null, [{ address: '8.8.8.8', family: 4 }])) as unknown as NonNullable<WebSocketOptions['resolve']>
  for (const host of ['8.8.8.8', '[2606:4700::1111]', 'shop.example'])
    await expect(open(`wss://${host}:8443`, { publicOnly: true }, { resolve, ownAddresses })).rejects.toThrow(
      'not dialled for others',
    )
})

test('TLS is checked: an unsigned certificate is refused, a trusted one is not', async () => {
  const server = await aServer((socket) => socket.send('secret'), createTlsServer({ cert: CERTIFICATE, key: KEY }))
  const url = `wss://localhost:${server.port}`
  await expect(open(url)).rejects.toThrow('self-signed certificate')
  const { frames } = await open(url, {}, { ca: CERTIFICATE })
  await waitFor(() => expect(frames).toEqual(['secret']))
})
