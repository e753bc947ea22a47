// `grinpay sandbox` as a developer runs it: the built command in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { refusalOf } from '../../src/client/index.js'
import { Secret } from '../../src/lib/secret.js'
import { parsePubkey } from '../../src/nostr/nip19/index.js'
import { relayClient } from '../support/relay-client.js'
import { cleanEnvironment, ROOT } from '../support/till-process.js'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  lines(): string[]
  /** The first group of the first line that matches, once there is one. */
  find(pattern: RegExp): Promise<string>
}

function grinpay(...args: string[]): Run {
  if (!existsSync(join(ROOT, 'dist/commands'))) throw new Error('not built: npm run build')
  const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), ...args], {
    env: cleanEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const waiting = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
      for (const look of waiting) look()
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  closers.push(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const lines = () => text.split('\n').filter((line) => line !== '')
  const find = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines().flatMap((line) => pattern.exec(line)?.[1] ?? [])[0]
        if (found !== undefined) resolve(found)
      }
      waiting.add(look)
      look()
      void ended.then(() => reject(new Error(`ended without ${pattern}:\n${text}`)))
    })
  return { child, ended, lines, find }
}

const FREE = ['--port', '0', '--node-port', '0']

test('the story ends by itself with --once: open, paid, confirmed, two verified events, SANDBOX on every line but commands', async () => {
  const run = grinpay('sandbox', '--once', '--block-every', '300ms', ...FREE)
  expect(await run.ended, run.lines().join('\n')).toBe(0)
  const lines = run.lines()
  const commands = lines.filter((line) => !line.includes('SANDBOX')) // without a prefix, so that they can be copied
  expect(commands.filter((line) => !/^ +(curl|(npx )?grinpay sandbox|-d) /.test(line))).toEqual([])
  const text = lines.join('\n')
  expect(text).toMatch(/checkout {2}http:\/\/127\.0\.0\.1:\d+\/pay\/[A-Za-z0-9_-]{43}/)
  expect(text).toContain('open → paid')
  expect(text).toContain('→ confirmed')
  expect(text).toContain('payment.received, both signatures verified')
  expect(text).toContain('payment.confirmed, both signatures verified')
  expect(existsSync(await run.find(/folder +(\/.+)/))).toBe(false)
  const ends = lines.flatMap((line) => /checkout +(\S+)/.exec(line)?.[1] ?? [])
  expect(ends.at(-1), 'an open invoice at the end').not.toBe(ends[0])
  expect(text.indexOf('An open invoice')).toBeGreaterThan(text.lastIndexOf('→ confirmed'))
})

test('then a customer claims a name, pays for it, and it resolves', async () => {
  const run = grinpay('sandbox', '--block-every', '300ms', ...FREE)
  const url = await run.find(/names +(http:\S+)/)
  const till = await run.find(/till +(http:\S+)/)
  expect(await (await fetch(`${url}/api/v1/name/alice`)).json()).toMatchObject({ available: true })

  const address = await run.find(/document +(http:\S+)/)
  const openId = await run.find(/sandbox pay ([0-9a-f]{32})/)
  expect(openId).toBeDefined()
  const scriptLines = run.lines().map((line) => line.replace(/^.*SANDBOX +/, ''))
  expect(scriptLines).toContain('answer    402, the name costs 0.5 GRIN')
  expect(scriptLines).toContain('answer    201, alice@sandbox.example')
  expect(scriptLines.filter((line) => line.startsWith(`checkout  ${till}/pay/`))).toHaveLength(3)
  expect(scriptLines.filter((line) => line.endsWith('→ confirmed'))).toHaveLength(2)

  expect(address).toBe(`${url}/.well-known/nostr.json?name=alice`)
  const document = await (await fetch(address)).json()
  const { pubkey } = await (await fetch(`${url}/api/v1/profile/alice`)).json()
  expect(document).toMatchObject({ names: { alice: pubkey }, relays: { [pubkey]: [expect.stringMatching(/^ws:/)] } })
  expect(await (await fetch(`${url}/api/v1/name/alice`)).json()).toMatchObject({ available: false, reason: 'taken' })

  // The authority is part of the relay's process and port, where names are claimed and never sold on; that is elsewhere.
  const relay = await run.find(/relay +(ws:\S+)/)
  expect(relay.replace('ws:', 'http:')).toBe(url)
  const accept = { headers: { accept: 'application/nostr+json' } }
  expect(await (await fetch(url, accept)).json()).toMatchObject({
    name: 'Sandbox relay',
    supported_nips: expect.any(Array),
  })
  const sales = await run.find(/sales +(http:\S+)/)
  const offer = async (at: string) =>
    (await fetch(`${at}/api/v1/transfer/offer`, { method: 'POST', body: '{}' })).status
  expect([await offer(url), await offer(sales)]).toEqual([404, 401])
  expect(await (await fetch(`${sales}/.well-known/nostr.json?name=alice`)).json()).toEqual(document)
  expect(await storedWraps(relay)).toBeGreaterThanOrEqual(4)

  const key = parsePubkey(await run.find(/key +(npub1\S+)/))
  expect(key).toBe(pubkey)
  run.child.kill('SIGTERM')
  expect(await run.ended).toBe(0)
})

/** How many gift wraps the relay kept: two invoices were paid over it, each with an answer. */
async function storedWraps(relay: string): Promise<number> {
  const client = await relayClient(relay)
  client.send(['COUNT', 'c', { kinds: [1059] }])
  const [, , { count }] = (await client.next()) as [string, string, { count: number }]
  client.close()
  return count
}

describe('pointed at a shop', () => {
  async function openShop() {
    const taken: { headers: Record<string, string | string[] | undefined>; body: string }[] = []
    const waiting = new Set<() => void>()
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      taken.push({ headers: request.headers, body })
      response.writeHead(204).end()
      for (const look of waiting) look()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closers.push(() => server.close())
    const address = server.address()
    const events = (count: number) =>
      new Promise<typeof taken>((resolve) => {
        const look = () => taken.length >= count && resolve(taken)
        waiting.add(look)
        look()
      })
    return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/hook`, events }
  }

  test("it pays the shop's own invoice, tells the shop, and stops when asked", async () => {
    const shop = await openShop()
    const run = grinpay('sandbox', '--no-pay', '--block-every', '300ms', '--forward-to', shop.url, ...FREE)
    const [url, nodePort, token, secret, folder] = await Promise.all([
      run.find(/till +(http:\S+)/),
      run.find(/node +http:\/\/127\.0\.0\.1:(\d+)/),
      run.find(/API token +(pay_live_\S+)/),
      run.find(/webhook secret +(whsec_\S+)/),
      run.find(/folder +(\S+)/),
    ])

    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ amount_grin: 2_250_000_000, order_ref: 'order-7' })
    const created = await fetch(`${url}/invoice`, { method: 'POST', headers, body })
    const invoice = await created.json()
    expect(created.status).toBe(200)
    expect((await fetch(invoice.pay_url)).status).toBe(200)

    const paying = grinpay('sandbox', 'pay', invoice.invoice_id, '--node-port', nodePort)
    expect(await paying.ended, paying.lines().join('\n')).toBe(0)
    expect(paying.lines().join()).toContain('SANDBOX paid')

    const events = await shop.events(2)
    expect(events.map((event) => JSON.parse(event.body).event_type)).toEqual(['payment.received', 'payment.confirmed'])
    for (const event of events) expect(refusalOf(event, new Secret(secret), Date.now())).toBeUndefined()
    const settled = await (await fetch(`${url}/invoice/${invoice.invoice_id}`, { headers })).json()
    expect(settled).toMatchObject({ status: 'confirmed', order_ref: 'order-7' })

    const again = grinpay('sandbox', 'pay', invoice.pay_url, '--node-port', nodePort)
    expect(await again.ended).not.toBe(0)
    expect(again.lines().join()).toMatch(/paid|confirmed/)

    const mined = grinpay('sandbox', 'mine', '2', '--node-port', nodePort, '--json')
    expect(await mined.ended).toBe(0)
    expect(JSON.parse(mined.lines().join(''))).toMatchObject({ network: 'SANDBOX' })

    run.child.kill('SIGTERM')
    expect(await run.ended).toBe(0)
    expect(existsSync(folder)).toBe(false)
  })
})

test('steering a sandbox that does not run says how to start one', async () => {
  const run = grinpay('sandbox', 'mine', '--node-port', '9')
  expect(await run.ended).not.toBe(0)
  expect(run.lines().join()).toContain('grinpay sandbox')
})
