import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { fetchBounded, NoAnswer, requestBounded } from '../../src/lib/http-request.js'

let server: Server | undefined

async function serving(listener: RequestListener): Promise<string> {
  server = createServer(listener)
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const BOUNDS = { timeoutMs: 5000, mostBytes: 100 }
const WAYS = [
  ['a connection of its own', (url: string, bounds = BOUNDS) => requestBounded({ url, ...bounds })],
  ['fetch', (url: string, bounds = BOUNDS) => fetchBounded(url, {}, bounds)],
] as const

test.each(WAYS)('%s: an answer has its status, headers and text', async (_name, ask) => {
  const url = await serving((_request, response) => response.setHeader('x-a', 'b').end('grün'))
  expect(await ask(url)).toMatchObject({ status: 200, text: 'grün', isCut: false })
})

test.each(WAYS)('%s: no more is read than the bound', async (_name, ask) => {
  const url = await serving((_request, response) => response.end('x'.repeat(1000)))
  const { text, isCut } = await ask(url)
  expect([text.length, isCut]).toEqual([100, true])
})

test.each(WAYS)('%s: a redirect is not followed', async (_name, ask) => {
  const url = await serving((_request, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  expect((await ask(url)).status).toBe(302)
})

test.each(WAYS)('%s: the time includes the body', async (_name, ask) => {
  const url = await serving((_request, response) => void response.write('x'))
  const failure = await ask(url, { ...BOUNDS, timeoutMs: 100 }).catch((thrown: unknown) => thrown)
  expect(failure).toMatchObject({ message: 'no answer within 0.1 s', isOver: true })
})

test.each(WAYS)('%s: what went wrong is one line without the address', async (_name, ask) => {
  const url = await serving(() => undefined)
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
  const failure = await ask(url).catch((thrown: unknown) => thrown)
  expect(failure).toBeInstanceOf(NoAnswer)
  expect(failure).toMatchObject({
    message: 'nothing listens there (connection refused)',
    isOver: false,
    detail: expect.stringContaining('ECONNREFUSED'),
  })
})

test('the caller may end a request', async () => {
  const url = await serving(() => undefined)
  const ending = new AbortController()
  const asked = requestBounded({ url, ...BOUNDS, signal: ending.signal })
  ending.abort()
  await expect(asked).rejects.toMatchObject({ isOver: true })
})

test('where only the status counts, a body that never ends is not waited for', async () => {
  const url = await serving((_request, response) => {
    response.writeHead(200)
    response.flushHeaders()
  })
  expect(await fetchBounded(url, {}, { timeoutMs: 2000, mostBytes: 0 })).toMatchObject({ status: 200, text: '' })
})

test("the caller's own bound of time reads as one", async () => {
  const url = await serving(() => undefined)
  const asked = fetchBounded(url, {}, { ...BOUNDS, timeoutMs: 200, signal: AbortSignal.timeout(200) })
  await expect(asked).rejects.toMatchObject({ message: 'no answer within 0.2 s', isOver: true })
})
