// What the doctor says of the running till and of the machine's clock.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { clockFinding } from '../../../src/doctor/clock-check.js'
import { diagnose, lines } from '../../support/doctor.js'

let close: () => void = () => undefined
afterEach(() => close())

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  close = () => void server.close()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const TOKEN = 'pay_admin_0123456789'
/** A till with these parts; reasons only for the admin token. */
const till = (parts: readonly { name: string; ok: boolean; detail: string }[]) =>
  serve(({ url, headers }, answer) => {
    if (url === '/health') return answer.end(JSON.stringify({ status: 'ok', version: '1.2.3' }))
    const isAdmin = headers.authorization === `Bearer ${TOKEN}`
    const checks = parts.map(({ name, ok, detail }) => ({
      name,
      status: ok ? 'ok' : 'failed',
      since: '2026-01-01T00:00:00Z',
      ...(isAdmin ? { detail } : {}),
    }))
    answer.statusCode = parts.every(({ ok }) => ok) ? 200 : 503
    answer.end(JSON.stringify({ ready: false, checks }))
  })
const ask = (tillUrl: string, variables: Record<string, string> = { PAY_ADMIN_TOKEN: TOKEN }) =>
  diagnose({ variables, only: ['till'], tillUrl })

describe('the till', () => {
  test('that raised an alarm shows it, and is well otherwise', async () => {
    const url = await serve(({ url: path }, answer) => {
      const answers: Record<string, object> = {
        '/health': { status: 'ok', version: '1.2.3' },
        '/ready': { ready: true, checks: [{ name: 'node', status: 'ok', since: '2026-01-01T00:00:00Z' }] },
        '/admin/status': { alarms: ['payment 1: its kernel is gone'] },
      }
      answer.end(JSON.stringify(answers[path ?? ''] ?? {}))
    })
    expect((await ask(url)).slice(2)).toMatchObject([
      {
        level: 'warn',
        about: 'alarm',
        detail: 'payment 1: its kernel is gone',
        remedy: expect.stringContaining('docs/troubleshooting.md'),
      },
    ])
  })

  test('that is well', async () => {
    const url = await till([{ name: 'node', ok: true, detail: 'at 5' }])
    expect(lines(await ask(url))).toEqual([`pass version 1.2.3 answers at ${url}`, 'pass all 1 parts are ready'])
  })

  test('is reported part by part, each with its next step', async () => {
    const url = await till([
      { name: 'database', ok: true, detail: 'writable' },
      { name: 'node', ok: false, detail: 'no node answers' },
      { name: 'webhooks', ok: false, detail: '3 waiting' },
    ])
    expect((await ask(url)).slice(1)).toEqual([
      {
        check: 'till',
        about: 'node',
        level: 'fail',
        detail: 'no node answers (since 2026-01-01T00:00:00Z)',
        remedy: expect.stringContaining('PAY_NODE_URL'),
      },
      expect.objectContaining({ about: 'webhooks', remedy: 'grinpay webhook list --failed' }),
    ])
  })

  test('that is ready without a part fails that part all the same', async () => {
    const part = { name: 'tor', status: 'failed', since: '2026-01-01T00:00:00Z', detail: 'no circuit' }
    const url = await serve(({ url: path }, answer) => {
      const isReady = path === '/ready'
      answer.end(JSON.stringify(isReady ? { ready: true, checks: [part, {}] } : { status: 'ok', version: '1.2.3' }))
    })
    expect((await ask(url)).slice(1)).toEqual([
      {
        check: 'till',
        about: 'tor',
        level: 'fail',
        detail: 'no circuit (since 2026-01-01T00:00:00Z)',
        remedy: 'grinpay doctor --check tor',
      },
      // A part that says nothing of itself has no name, not the name "undefined".
      expect.objectContaining({ about: '', level: 'fail', remedy: 'journalctl -u grinpay-pay' }),
    ])
  })

  test('gives no reasons without the admin token, which is said', async () => {
    const url = await till([{ name: 'node', ok: false, detail: 'no node answers' }])
    expect(lines(await ask(url, {})).slice(1)).toEqual([
      'fail is not ready (since 2026-01-01T00:00:00Z)',
      'warn without PAY_ADMIN_TOKEN /ready gives no reasons',
    ])
  })

  test('that does not run', async () => {
    const [finding] = await ask('http://127.0.0.1:9')
    expect(finding).toMatchObject({ level: 'fail', remedy: expect.stringContaining('systemctl start grinpay-pay') })
  })

  test.each([
    ['another program', (_: unknown, answer: { end(text: string): void }) => answer.end('<html>')],
    ['JSON of another service', (_: unknown, answer: { end(text: string): void }) => answer.end('[]')],
  ])('in whose place there is %s', async (_what, listener) => {
    const url = await serve(listener)
    expect(lines(await ask(url))).toEqual([`fail ${url} answers 200, but not as a till does`])
  })
})

describe('the clock', () => {
  test.each([
    [[0.4, -0.2, 0.1], 'pass'],
    [[12, 11, 500], 'warn'],
    [[-61, -62, 0], 'fail'],
    [[], 'warn'],
  ])('seconds ahead of others: %j', (skews, level) => {
    expect(clockFinding(skews).level).toBe(level)
  })

  test('is compared with the Date header of relays and nodes', async () => {
    const url = await serve((_request, answer) => {
      answer.setHeader('date', 'Thu, 01 Jan 2015 00:00:00 GMT')
      answer.end()
    })
    const findings = await diagnose({
      variables: { PAY_NODE_URL: url, PAY_RELAYS: url.replace('http', 'ws') },
      only: ['clock'],
    })
    expect(lines(findings)).toEqual([expect.stringMatching(/^fail this machine is \d+ s ahead, by 1 servers/)])
  })
})

describe('the Foreign API', () => {
  const look = (url: string) =>
    diagnose({
      variables: { PAY_GRIN1_RAIL: 'on', PAY_GRIN1_FOREIGN_PORT: new URL(url).port },
      only: ['foreign'],
    })

  test('that answers', async () => {
    const url = await serve((request, answer) => {
      request.resume().on('end', () => answer.end('{"id":1,"jsonrpc":"2.0","result":{"Ok":{"foreign_api_version":2}}}'))
    })
    expect(lines(await look(url))).toEqual([`pass version 2 answers at ${url}/v2/foreign`])
  })

  test('in whose place there is another program', async () => {
    const url = await serve((_request, answer) => answer.end('hello'))
    expect((await look(url))[0]).toMatchObject({
      level: 'fail',
      detail: expect.stringContaining('not as a wallet does'),
    })
  })

  test('is not looked for while the rail is off', async () => {
    expect(await diagnose({ variables: {}, only: ['foreign', 'tor'] })).toEqual([])
  })
})
