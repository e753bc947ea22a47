// What commands advise: by the cause, and never themselves.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { failureOf } from '../../src/cli/exit-codes.js'
import { httpTransport } from '../../src/client/index.js'
import { connectTill } from '../../src/client/shop/index.js'
import ConfigCheck from '../../src/commands/config/check.js'
import InvoiceCreate from '../../src/commands/invoice/create.js'
import InvoiceList from '../../src/commands/invoice/list.js'
import ProxyInstall from '../../src/commands/proxy/install.js'
import TillAdd from '../../src/commands/till/add.js'
import WebhookReplay from '../../src/commands/webhook/replay.js'
import WebhookTest from '../../src/commands/webhook/test.js'
import { createRates } from '../../src/rates/index.js'
import { quoteOf } from '../../src/till/invoices/pricing.js'
import { nodeAnswers } from '../../src/wizard/looks.js'
import { aDelivery } from '../support/fake-till.js'
import { runCommandClass as run, type TillForCommands, tillForCommands } from '../support/run-command.js'
import { ADMIN_TOKEN } from '../support/till-app.js'

let at: TillForCommands
let home: string
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'grinpay-remedies-'))
  vi.stubEnv('HOME', home)
  at = await tillForCommands()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await at.close()
  rmSync(home, { recursive: true })
})

const write = (name: string, text: string, mode = 0o600): string => {
  const path = join(home, name)
  writeFileSync(path, text, { mode })
  return path
}
const errorIn = (stdout: string) => JSON.parse(stdout).error

test('config check does not recommend itself', async () => {
  const file = write('pay.env', 'PAY_BIND=x\n')
  const { hint } = errorIn((await run(ConfigCheck, [file, '--json'])).stdout)
  expect(hint).not.toContain('config check')
  expect(hint).toContain(file)
})

test.each([
  ['[info]\nrelay_url = "wss://relay.example"\n[authorization]\n', 0],
  ['[limits]\nlimit_scrapers = false\n[verified_users]\nmode = "disabled"\n', 2],
  ['[authorization]\npublic_note_authors = ""\n', 0],
])('config check of a relay from elsewhere says that notes are refused, and what opens it: %j', async (text, exit) => {
  const done = await run(ConfigCheck, [write('relay.toml', text), '--daemon', 'relay'])
  expect(done.exit).toBe(exit)
  for (const setting of [
    'limits.event_kind_allowlist = "all"',
    'authorization.public_note_authors = "everyone"',
    'options.reject_past_seconds = 0',
  ])
    expect(done.stderr).toContain(setting)
  const open = await run(ConfigCheck, [
    write('open.toml', '[authorization]\npublic_note_authors = "everyone"\n'),
    ...['--daemon', 'relay'],
  ])
  expect(open.stderr).not.toContain('notes')
})

test('--expires names the flag and what it takes', async () => {
  const { stderr, exit } = await at.run(InvoiceCreate, '1', '--expires', '20s')
  expect(exit).toBe(2)
  expect(stderr).toContain('--expires 20s is out of range: it takes 1m (60 s) to 365d')
})

test.each([
  [404, 'HTTP 404: nothing listens at this path', 'correct PAY_WEBHOOK_URL'],
  [401, 'HTTP 401', 'give the shop the webhook secret'],
  [500, 'HTTP 500', 'look into the log of the shop'],
  [null, 'certificate has expired', 'renew the certificate'],
  [null, 'connect ECONNREFUSED', 'that the shop runs'],
])('a failed webhook test (%s %s) is followed by a remedy for it', async (httpStatus, error, remedy) => {
  at.till.testWebhook = async () => ({
    eventId: 'e',
    receiver: 1,
    attempt: { number: 1, startedAt: 0, durationMs: 1, httpStatus, error, answerHead: '' },
  })
  expect(errorIn((await at.run(WebhookTest, '--json')).stdout).hint).toContain(remedy)
})

test('replay --failed leaves out the events of tests', async () => {
  for (const type of ['test.ping', 'payment.received'] as const) {
    const delivery = aDelivery({ type, state: 'abandoned' })
    at.till.deliveries.set(delivery.eventId, delivery)
  }
  const { stdout } = await at.run(WebhookReplay, '--failed', '--dry-run', '--json')
  expect(JSON.parse(stdout).items).toMatchObject([{ event_type: 'payment.received' }])
})

test('a till is added with the admin token alone, and a token that others can read is warned about', async () => {
  const file = write('admin', `${ADMIN_TOKEN}\n`, 0o644)
  const url = at.envFile && 'http://127.0.0.1:9'
  const { exit, stderr } = await run(TillAdd, ['shop', '--url', url, '--admin-token-file', file])
  expect(exit).toBe(0)
  expect(stderr).toContain(`everybody on this machine can read the token in ${file}: chmod 600 ${file}`)
  expect((await run(InvoiceList, ['--till', 'shop'])).exit).toBe(8)
  expect((await run(InvoiceCreate, ['1', '--till', 'shop'])).exit).toBe(3)
})

test('a proxy site whose certificate is missing is not written', async () => {
  const file = write('pay.env', 'PAY_PUBLIC_URL=https://pay.shop.example\nPAY_BIND=127.0.0.1:8080\n')
  const to = join(home, 'site.conf')
  const args = ['--kind', 'nginx', '--daemon', 'pay', '--settings', file, '--to', to]
  const { exit, stderr } = await run(ProxyInstall, args)
  expect(exit).toBe(6)
  expect(stderr).toContain('/etc/letsencrypt/live/pay.shop.example/fullchain.pem')
  const [certificate, key] = [write('cert.pem', 'x'), write('key.pem', 'x')]
  expect((await run(ProxyInstall, [...args, '--certificate', certificate, '--key', key])).exit).toBe(0)
})

test('a program of a shop is not advised to use flags, a person at a shell is', async () => {
  const { invoice } = connectTill({ url: 'http://127.0.0.1:9', apiToken: 'pay_live_x' })
  const thrown = await invoice('x').catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'DAEMON_UNREACHABLE', hint: expect.not.stringMatching(/--|grinpay serve/) })
  expect(String(thrown)).toContain('from the till at')
  expect(failureOf(thrown).hint).toContain('--url')
})

test('the error names which service does not answer', async () => {
  const node = await nodeAnswers('http://127.0.0.1:9')
  expect(node.text).toContain('from the node at')
  const ask = httpTransport(1000)({ method: 'GET', url: 'http://127.0.0.1:9', who: 'the name authority' })
  await expect(ask).rejects.toThrow('no answer from the name authority at')
})

test('a rate that cannot be had is said once', async () => {
  const rates = createRates({
    sources: [{ kind: 'fixed', rates: {} }],
    currencies: ['usd'],
    cacheTtl: 0,
    ...{ staleMax: 0, maxJump: 50, log: { error() {} } },
    clock: { now: () => 0, monotonic: () => 0 },
  })
  const thrown = await quoteOf({ fiatAmount: 500n, fiatText: '5', currency: 'usd' } as never, rates, 'usd').catch(
    String,
  )
  expect(String(thrown).match(/price oracle unavailable/g)).toHaveLength(1)
})
