import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApiSession } from '../../src/cli/api-session.js'
import { codeOf } from '../support/vectors.js'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'grinpay-session-'))
  file = join(folder, 'token')
  writeFileSync(file, 'pay_admin_1')
})
afterAll(() => rmSync(folder, { recursive: true }))

test.each(['https://pay.shop.example', 'http://127.0.0.1:8080', 'http://till.internal', 'http://[::1]:8080'])(
  'a token may travel to %s',
  async (url) => {
    expect((await openApiSession({ url, 'token-file': file })).client.baseUrl).toBe(url)
  },
)

test.each([
  'http://pay.shop.example',
  'http://203.0.113.5:8080',
  'https://a:b@pay.shop.example',
  'ftp://till',
  'nonsense',
])('a token does not travel to %s', async (url) => {
  expect(await codeOf(() => openApiSession({ url, 'token-file': file }))).toBe('USAGE')
})

test('without a token plain http may go anywhere', async () => {
  expect((await openApiSession({ url: 'http://pay.shop.example' })).client.baseUrl).toBe('http://pay.shop.example')
})
