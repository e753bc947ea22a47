import { expect, test } from 'vitest'
import { createInvoicingClient, httpTransport } from '../../src/client/index.js'
import { Secret } from '../../src/lib/secret.js'
import { serving } from '../support/local-server.js'

const tokens = { apiToken: new Secret('api'), adminToken: new Secret('admin') }

test('each route gets its own token, and public ones none', async () => {
  const seen: string[] = []
  const baseUrl = await serving(({ method, url, headers }, response) => {
    seen.push(`${method} ${url} ${headers.authorization}`)
    response.end('{}')
  })
  const client = createInvoicingClient({ baseUrl: `${baseUrl}/shop/till/`, ...tokens })
  await client.createInvoice({ amount_grin: 1 }, 'key')
  await client.invoice('a/b')
  await client.invoices({ status: 'open', cursor: undefined, limit: 5 })
  await client.health()
  expect(seen).toEqual([
    'POST /shop/till/invoice Bearer api',
    'GET /shop/till/invoice/a%2Fb Bearer api',
    'GET /shop/till/admin/invoices?status=open&limit=5 Bearer admin',
    'GET /shop/till/health undefined',
  ])
})

test("the till's own error arrives as it was meant", async () => {
  const baseUrl = await serving((_, response) => {
    response.statusCode = 404
    response.end(JSON.stringify({ error: 'no invoice x', code: 'INVOICE_NOT_FOUND', hint: 'grinpay invoice list' }))
  })
  await expect(createInvoicingClient({ baseUrl, ...tokens }).invoice('x')).rejects.toMatchObject({
    code: 'INVOICE_NOT_FOUND',
    message: 'no invoice x',
    hint: 'grinpay invoice list',
    status: 404,
  })
})

test('a server that is no till is named as such', async () => {
  const baseUrl = await serving((_, response) => response.end('<h1>Welcome</h1>'))
  await expect(createInvoicingClient({ baseUrl }).health()).rejects.toMatchObject({ code: 'NOT_A_TILL' })
})

test('a refused connection is DAEMON_UNREACHABLE', async () => {
  const client = createInvoicingClient({ baseUrl: 'http://127.0.0.1:9' })
  await expect(client.health()).rejects.toMatchObject({ code: 'DAEMON_UNREACHABLE' })
})

test('a till that does not answer in time is given up, also in the middle of an answer', async () => {
  const silent = await serving(() => undefined)
  const slow = await serving((_, response) => void response.write('{'))
  for (const baseUrl of [silent, slow])
    await expect(createInvoicingClient({ baseUrl, timeoutMs: 100 }).health()).rejects.toMatchObject({
      code: 'DAEMON_TIMEOUT',
      message: `the till at ${baseUrl} did not answer within 0.1 s`,
    })
})

test('a missing token is noticed before anything is sent', async () => {
  const client = createInvoicingClient({ baseUrl: 'http://127.0.0.1:9' })
  await expect(client.invoices()).rejects.toMatchObject({ code: 'TOKEN_MISSING' })
})

test('an endless answer is cut off', async () => {
  const baseUrl = await serving((_, response) => {
    const chunk = Buffer.alloc(1024 * 1024)
    const more = () => {
      while (!response.destroyed && response.write(chunk));
      if (!response.destroyed) response.once('drain', more)
    }
    more()
  })
  await expect(httpTransport(20_000)({ method: 'GET', url: baseUrl })).rejects.toMatchObject({
    code: 'DAEMON_UNREACHABLE',
    message: expect.stringContaining('larger than'),
  })
})
