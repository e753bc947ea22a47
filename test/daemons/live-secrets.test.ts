import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadPayConfig, openEnvironment } from '../../src/config/index.js'
import { createLiveSecrets } from '../../src/daemons/parts/live-secrets.js'
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
  const secrets = createLiveSecrets({ rotating: reread().rotating, reread, clock, log })
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

test('a file that is no good is told once and changes nothing', async () => {
  const { write, clock, log, status } = await tillWithTokenFile('good\n')
  write('other until=tomorrow\n')
  for (let pass = 0; pass < 3; pass++) await clock.advance(2000)
  expect([await status('good'), await status('other')]).toEqual([404, 401])
  const told = log.lines.filter(({ level }) => level === 'error')
  expect(told.map(({ text }) => text)).toEqual(['changed secrets cannot be read: those in force stay'])
  expect(JSON.stringify(told)).not.toContain('other')
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

test('when every token is over the API is closed, not open', async () => {
  const { clock, status } = await tillWithTokenFile(`last until=${at(createFakeClock().now() + 1000)}\n`)
  expect(await status('last')).toBe(404)
  await clock.advance(1000)
  expect(await status('last')).toBe(503)
})
