// Which till is proposed: the one that is set up on this machine, as this machine reaches it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tillAddress } from '../../../src/wizard/survey.js'

function tillOn(bind: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'grinpay-survey-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'pay.env')
  writeFileSync(file, `PAY_BIND=${bind}\n`)
  return file
}

test.each([
  ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['0.0.0.0:9000', 'http://127.0.0.1:9000'],
  ['[::]:9000', 'http://[::1]:9000'],
])('a till on %s is asked at %s', (bind, url) => expect(tillAddress([tillOn(bind)])).toBe(url))

test('without a till it is the usual address of the originals', () => {
  expect(tillAddress([])).toBe('http://127.0.0.1:8192')
})
