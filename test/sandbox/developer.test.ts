// What the developer's shop meets: settings, forwarded events, the target of a payment, the lines to copy.
import { createServer, type IncomingMessage } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { loadNameauthConfig, loadPayConfig, loadRelayConfig, openEnvironment } from '../../src/config/index.js'
import { Secret } from '../../src/lib/secret.js'
import {
  forwardTo,
  introduce,
  invoiceIdOf,
  type SandboxHome,
  sandboxNameVariables,
  sandboxRelayVariables,
  sandboxVariables,
} from '../../src/sandbox/index.js'
import { codeOf } from '../support/vectors.js'

const home: SandboxHome = {
  directory: '/tmp/grinpay-SANDBOX-test',
  secrets: {
    apiToken: new Secret('pay_live_0123456789'),
    adminToken: new Secret('pay_admin_0123456789'),
    webhookSecret: new Secret(`whsec_${'0123456789abcdef'.repeat(4)}`),
    walletPassword: new Secret('pw'),
  },
  leave: async () => undefined,
}
const addresses = {
  port: 8420,
  nodeUrl: 'http://127.0.0.1:8421',
  webhookUrl: 'http://127.0.0.1:9/',
  relayUrl: 'ws://127.0.0.1:8422',
  foreignPort: 8423,
}

describe('the settings', () => {
  const environment = openEnvironment({ variables: sandboxVariables(home, addresses) })

  test('make a till on chain sandbox', () => {
    const config = loadPayConfig(environment, { allowSandbox: true })
    expect(config).toMatchObject({ chain: 'sandbox', confirmations: 3, publicUrl: 'http://127.0.0.1:8420' })
    expect(config.notices.filter(({ text }) => text.includes('not a setting'))).toEqual([])
  })

  test('are refused by an ordinary till', async () => {
    expect(await codeOf(() => loadPayConfig(environment))).toBe('CONFIGURATION')
  })
})

describe('the target of a payment', () => {
  const url = 'http://127.0.0.1:8420'
  const idAt = async (payUrl: string) => `id of ${payUrl}`

  test('may be a checkout address, with whatever a browser adds', async () => {
    expect(await invoiceIdOf(`${url}/pay/tok?method=slatepack#top`, url, idAt)).toBe(`id of ${url}/pay/tok`)
  })

  test('may be an invoice id', async () => {
    expect(await invoiceIdOf('ab'.repeat(16), url, idAt)).toBe('ab'.repeat(16))
  })

  test.each(['', 7, 'http://shop.example/pay/tok', 'http://127.0.0.1:84200/pay/tok', 'tok'])(
    'is never at another till: %s',
    async (target) => {
      expect(await codeOf(() => invoiceIdOf(target, url, idAt))).toBe('SANDBOX_BAD_TARGET')
    },
  )
})

describe('forwarding', () => {
  const closers: (() => void)[] = []
  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  async function shop(status: number) {
    const seen: { headers: IncomingMessage['headers']; body: string }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      seen.push({ headers: request.headers, body })
      response.writeHead(status, { location: 'http://127.0.0.1:9/' }).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const address = server.address()
    return { seen, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook` }
  }

  const event = {
    eventId: 'e1',
    body: '{"event_id":"e1","x":"ü"}',
    payload: {},
    headers: {
      'x-pay-signature': 'sha256=ab',
      'webhook-id': 'e1',
      host: 'sandbox',
      'content-type': 'application/json',
    },
  }

  test('keeps the bytes and the signatures', async () => {
    const { seen, url } = await shop(204)
    await forwardTo(url, event)
    expect(seen[0]?.body).toBe(event.body)
    expect(seen[0]?.headers).toMatchObject({ 'x-pay-signature': 'sha256=ab', 'webhook-id': 'e1' })
    expect(seen[0]?.headers.host).not.toBe('sandbox')
  })

  test.each([500, 302])('a shop that answers %i has not taken it', async (status) => {
    const { url } = await shop(status)
    expect(await codeOf(() => forwardTo(url, event))).toBe('SANDBOX_FORWARD_FAILED')
  })

  test('a shop that is not there has not taken it', async () => {
    expect(await codeOf(() => forwardTo('http://127.0.0.1:9/', event))).toBe('SANDBOX_FORWARD_FAILED')
  })
})

test('the lines to copy name the node port only when it is not the usual one', () => {
  const linesFor = (nodeUrl: string, command: 'grinpay' | 'npx grinpay' = 'grinpay') => {
    const lines: string[] = []
    const print = (line = '') => void lines.push(line)
    const printBare = (line = '') => void lines.push(`bare${line}`)
    const { relayUrl } = addresses
    const [url, namesUrl] = ['http://127.0.0.1:8420', 'http://127.0.0.1:8422']
    const salesUrl = 'http://127.0.0.1:8424'
    introduce({
      print,
      printBare,
      url,
      namesUrl,
      consoleLink: 'http://localhost:8425/console/enter/abc',
      salesUrl,
      nodeUrl,
      relayUrl,
      home,
      blockEveryMs: 1000,
      usualNodePort: 8421,
      command,
    })
    return lines.join('\n')
  }
  expect(linesFor('http://127.0.0.1:8421')).not.toContain('--node-port')
  expect(linesFor('http://127.0.0.1:50123')).toContain('sandbox mine 3 --node-port 50123')
  expect(linesFor('http://127.0.0.1:8421')).toContain("curl -s -H 'Authorization: Bearer pay_live_0123456789'")
  expect(linesFor('http://127.0.0.1:8421')).toContain('console         http://localhost:8425/console/enter/abc')
  // A terminal shows the address, not 8 KB of SVG.
  expect(linesFor('http://127.0.0.1:8421')).toMatch(/\/invoice \| grep -o '"pay_url":"\[\^"\]\*"'$/m)
  expect(linesFor('http://127.0.0.1:8421', 'npx grinpay').match(/^bare {2}npx grinpay sandbox /gm)).toHaveLength(4)
  const first = linesFor('http://127.0.0.1:8421')
    .split('\n')
    .find((line) => line.includes('http'))
  expect(first).toContain('/console/enter/')
  // What is copied into a shell has nothing before it.
  expect(linesFor('http://127.0.0.1:8421').match(/^.*(?:curl|-d '|grinpay sandbox) .*$/gm)).toHaveLength(7)
  expect(linesFor('http://127.0.0.1:8421')).not.toMatch(/^(?!bare).*(?:curl|-d '|grinpay sandbox) /m)
})

test("the name authority's settings are complete, and its invoices come from the till beside it", () => {
  const { nodeUrl, relayUrl } = addresses
  const around = { namesPort: 8424, tillUrl: 'http://127.0.0.1:8420', nodeUrl, relayUrl }
  const config = loadNameauthConfig(openEnvironment({ variables: sandboxNameVariables(home, around) }))
  expect(config.notices).toEqual([])
  expect(config).toMatchObject({
    domain: 'sandbox.example',
    baseUrl: 'http://127.0.0.1:8424',
    bind: { host: '127.0.0.1', port: 8424 },
    sale: { resource: 'name', priceGrin: '0.5' },
    dbPath: '/tmp/grinpay-SANDBOX-test/names.db',
  })
  expect(config.pay?.url).toBe(around.tillUrl)
})

test('the relay sells the same names, from the same database, in its own process', () => {
  const tillUrl = 'http://127.0.0.1:8420'
  const { nodeUrl, relayUrl } = addresses
  const variables = sandboxRelayVariables(home, { relayPort: 8422, tillUrl })
  const relay = loadRelayConfig({ environment: openEnvironment({ variables }) })
  const around = { namesPort: 8424, tillUrl, nodeUrl, relayUrl }
  const sales = loadNameauthConfig(openEnvironment({ variables: sandboxNameVariables(home, around) }))
  expect(relay.notices).toEqual([])
  expect(relay.authority.mode).toBe('in-process')
  for (const member of ['domain', 'dbPath', 'sale', 'pay', 'cooldownSeconds', 'readRate', 'writeRate'] as const)
    expect(relay.names?.[member], member).toEqual(sales[member])
})
