import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { createLiveSecrets } from '../../src/daemons/parts/pay/live-secrets.js'
import { createFakeClock } from '../support/fake-clock.js'
import { createKeptLog } from '../support/kept-log.js'
import { tillApp } from '../support/till-app.js'

/** A till whose API token lies in a file that the tests write; words are made long enough for tokens. */
async function tillWithTokenFile(first: string) {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-live-'))
  const file = join(folder, 'api_token')
  const long = (word: string) => word.padEnd(16, '-')
  const write = (text: string) => writeFileSync(file, text.replace(/^\w+/gm, long), { mode: 0o600 })
  write(first)
  const variables = { PAY_API_TOKEN_FILE: file, PAY_BUNDLED_RELAY_BIND: 'off' }
  const reread = () => loadPayConfig(openEnvironment({ variables }))
  const [clock, log] = [createFakeClock(), createKeptLog()]
  const secrets = createLiveSecrets({ rotating: reread().rotating, webhooks: [], reread, clock, log })
  const stop = new AbortController()
  for (const part of secrets.parts) await part.start(stop.signal)
  const { app } = await tillApp({ apiTokens: secrets.apiTokens })
  onTestFinished(async () => {
    stop.abort()
    await app.close()
    rmSync(folder, { recursive: true })
  })
  const status = async (token: string): Promise<number> =>
    (await app.inject({ url: '/invoice/none', headers: { authorization: `Bearer ${long(token)}` } })).statusCode
  return { write, clock, log, secrets, status }
}

const at = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

test('a rotated token is taken up within seconds, and the old one ends by the clock alone', async () => {
  const { write, clock, status } = await tillWithTokenFile('old\n')
  expect([await status('old'), await status('new')]).toEqual([404, 401])
  write(`new\nold until=${at(clock.now() + 60_000)}\n`)
  await clock.advance(2000)
  expect([await status('old'), await status('new')]).toEqual([404, 404])
  await clock.advance(58_000)
  expect([await status('old'), await status('new')]).toEqual([401, 404])
})

test('an unreadable file is logged once and changes nothing', async () => {
  const { write, clock, log, status } = await tillWithTokenFile('good\n')
  write('other until=tomorrow\n')
  for (let pass = 0; pass < 3; pass++) await clock.advance(2000)
  expect([await status('good'), await status('other')]).toEqual([404, 401])
  const errors = log.lines.filter(({ level }) => level === 'error')
  expect(errors.map(({ text }) => text)).toEqual(['changed secrets cannot be read: those in force stay'])
  expect(JSON.stringify(errors)).not.toContain('other')
})

test('reload does not wait for the watch, and rejects when the settings are no good', async () => {
  const { write, secrets, status } = await tillWithTokenFile('one\n')
  write('two\n')
  await secrets.reload()
  expect([await status('one'), await status('two')]).toEqual([401, 404])
  write('')
  await expect(secrets.reload()).rejects.toThrow('is empty')
  expect(await status('two')).toBe(404)
})

/** A till with webhook receivers 1 to 3, whose settings lie in one file that `edit` writes anew. */
async function tillWithReceivers() {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-live-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const envFile = join(folder, 'pay.env')
  const receiver = (name: string, host: string, secret: string) =>
    `${name}_URL=https://${host}.example/hook\n${name}_SECRET=the-secret-of-the-${secret}\n`
  const write = (...receivers: readonly string[]) =>
    writeFileSync(envFile, ['PAY_BUNDLED_RELAY_BIND=off\n', ...receivers].join(''), { mode: 0o600 })
  const FIRST = receiver('PAY_WEBHOOK', 'shop', 'shop')
  const SECOND = receiver('PAY_WEBHOOK_2', 'names', 'names')
  const THIRD = receiver('PAY_WEBHOOK_3', 'books', 'books')
  write(FIRST, SECOND, THIRD)
  const reread = () => loadPayConfig(openEnvironment({ variables: {}, envFile }))
  const { rotating, webhooks } = reread()
  const log = createKeptLog()
  const secrets = createLiveSecrets({ rotating, webhooks, reread, clock: createFakeClock(), log })
  const secretOf = (number: number) =>
    [...secrets.webhookSecrets(number)].map((secret) => secret.reveal().replace('the-secret-of-the-', '')).join()
  return { receiver, FIRST, SECOND, THIRD, write, secrets, secretOf, log }
}

test('a receiver that is taken out of the settings keeps its secret until the till starts again', async () => {
  const { FIRST, THIRD, write, secrets, secretOf } = await tillWithReceivers()
  write(FIRST, THIRD)
  await secrets.reload()
  expect([1, 2, 3].map(secretOf)).toEqual(['shop', 'names', 'books'])
})

test('receivers that change places keep their secrets while the till posts to the old addresses', async () => {
  const { receiver, write, secrets, secretOf, log } = await tillWithReceivers()
  const names = receiver('PAY_WEBHOOK', 'names', 'names')
  const books = receiver('PAY_WEBHOOK_2', 'books', 'books')
  write(names, books, receiver('PAY_WEBHOOK_3', 'shop', 'shop'))
  await secrets.reload()
  expect([1, 2, 3].map(secretOf)).toEqual(['shop', 'names', 'books'])
  expect(log.lines.filter(({ level }) => level === 'warn').map(({ fields }) => fields)).toEqual([
    { receivers: [1, 2, 3] },
  ])
})

test('a new secret of a receiver with its old address is taken up, also while another moves', async () => {
  const { receiver, FIRST, THIRD, write, secrets, secretOf } = await tillWithReceivers()
  write(FIRST, receiver('PAY_WEBHOOK_2', 'moved', 'moved'), receiver('PAY_WEBHOOK_3', 'books', 'new-books'))
  await secrets.reload()
  expect([1, 2, 3].map(secretOf)).toEqual(['shop', 'names', 'new-books'])
  write(receiver('PAY_WEBHOOK', 'shop', 'new-shop'), receiver('PAY_WEBHOOK_2', 'names', 'new-names'), THIRD)
  await secrets.reload()
  expect([1, 2, 3].map(secretOf)).toEqual(['new-shop', 'new-names', 'books'])
})

test('when every token is over the API is closed, not open', async () => {
  const { clock, status } = await tillWithTokenFile(`last until=${at(createFakeClock().now() + 1000)}\n`)
  expect(await status('last')).toBe(404)
  await clock.advance(1000)
  expect(await status('last')).toBe(503)
})
