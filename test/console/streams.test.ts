// Server-sent events of the console over a real socket: they end with their session, with the console, and with the patience for one sign-in.
import { afterEach, expect, test, vi } from 'vitest'
import type { ConsoleArea } from '../../src/console/index.js'
import { openTestConsole } from '../support/console-app.js'

let desk: Awaited<ReturnType<typeof openTestConsole>>
let over = 0
afterEach(async () => {
  vi.useRealTimers()
  over = 0
  desk.app.server.closeAllConnections() // fetch opens another one after an aborted request
  await desk.remove()
})

const area = (count: number): ConsoleArea => ({
  id: 'clock',
  pages: [],
  streams: [
    {
      path: '/ticks',
      least: 'viewer',
      async *events({ signal }) {
        for (let at = 0; at < count; at++) yield { event: 'tick', data: `${at}\ndata: forged` }
        if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
        over++
      },
    },
  ],
})

async function open(cookie: string, stop = new AbortController()) {
  const { port } = desk.app.server.address() as { port: number }
  const headers = { cookie: cookie.replace('3480', String(port)) }
  const answer = await fetch(`http://127.0.0.1:${port}/console/ticks`, { headers, signal: stop.signal })
  return { answer, stop, reader: answer.body?.getReader() }
}

const listening = async (count: number) => {
  desk = await openTestConsole({ areas: [area(count)] })
  await desk.app.listen({ host: '127.0.0.1', port: 0 })
}

test('events come as they happen, with the headers of every page; data is one line', async () => {
  await listening(1)
  const { cookie } = await desk.signIn('viewer')
  const { answer, stop, reader } = await open(cookie)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  let text = ''
  while (!text.includes('tick')) text += new TextDecoder().decode((await reader?.read())?.value)
  expect(text).toBe('retry: 3000\n\nevent: tick\ndata: 0 data: forged\n\n')
  stop.abort()
  await vi.waitFor(() => expect(over).toBe(1))
})

test('nobody listens without a sign-in that allows it', async () => {
  await listening(0)
  const { cookie } = await desk.signIn('cashier')
  expect([(await open(cookie)).answer.status, (await open('')).answer.status]).toEqual([403, 401])
})

test('twenty streams for one sign-in, and closing the console ends all of them', async () => {
  await listening(0)
  const { cookie } = await desk.signIn('viewer')
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(cookie)))
  expect(streams.map(({ answer }) => answer.status)).toEqual(Array(20).fill(200))
  expect((await open(cookie)).answer.status).toBe(429)
  await desk.app.close()
  expect(over).toBe(20)
})

test('a HEAD opens no stream', async () => {
  await listening(0)
  const { cookie } = await desk.signIn('viewer')
  const answer = await desk.ask({ method: 'HEAD', url: '/console/ticks', headers: { cookie } })
  expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'GET'])
})

test('nothing is sent to a session that has ended, before the stream ends', async () => {
  let happens: () => void = () => undefined
  const later = new Promise<void>((resolve) => {
    happens = resolve
  })
  const events = async function* () {
    yield { event: 'tick', data: 'first' }
    await later
    yield { event: 'tick', data: 'secret' }
  }
  desk = await openTestConsole({
    areas: [{ id: 'clock', pages: [], streams: [{ path: '/ticks', least: 'viewer', events }] }],
  })
  await desk.app.listen({ host: '127.0.0.1', port: 0 })
  const { cookie } = await desk.signIn('viewer')
  const { reader } = await open(cookie)
  await desk.store.endAllSessions({ at: desk.time.now, by: 'command line' })
  happens()
  let text = ''
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
    text += new TextDecoder().decode(part.value)
  expect(text).toContain('first')
  expect(text).not.toContain('secret')
})

test('a stream ends with its session', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await listening(0)
  const { cookie } = await desk.signIn('viewer')
  await open(cookie)
  await desk.store.endAllSessions({ at: desk.time.now, by: 'command line' })
  await vi.advanceTimersByTimeAsync(15_000)
  await vi.waitFor(() => expect(over).toBe(1))
})
