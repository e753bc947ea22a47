// How long an invoice may be open: the command, the schema, the till and what they say have their limits from one place.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import InvoiceCreate from '../../../src/commands/invoice/create.js'
import { INVOICE_EXPIRY } from '../../../src/lib/invoice-expiry.js'
import { expiryInvalid } from '../../../src/till/errors.js'
import { termsOf } from '../../../src/till/invoices/terms.js'
import { createInvoiceBody } from '../../../src/till/routes/requests.js'
import { runCommandClass } from '../../support/run-command.js'

const { least, most } = INVOICE_EXPIRY

test('they are those of specification: invoicing, 2.3', () => {
  expect(INVOICE_EXPIRY).toEqual({ least: 60, most: 31_536_000 })
})

test('no other source writes the longest one down, but the interval of rotation and comments', () => {
  const holders = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const lines = readFileSync(join('src', file), 'utf8').split('\n')
      return lines
        .filter((line) => /\b31_?536_?000\b/.test(line) && !/^\s*\/?\*/.test(line))
        .map((line) => [file, line.trim()])
    })
  expect(holders.sort()).toEqual([
    ['lib/invoice-expiry.ts', 'export const INVOICE_EXPIRY = { least: 60, most: 31_536_000 } as const'],
    ['till/routes/requests.ts', 'const seconds = (name: string) => whole(name, 0, 31_536_000).nullish()'],
  ])
})

describe.each([
  [least - 1, false],
  [least, true],
  [most, true],
  [most + 1, false],
])('%s seconds', (seconds, isTaken) => {
  test(`${isTaken ? 'pass' : 'do not pass'} the till and its schema`, () => {
    const settings = { currencies: [], matchMode: 'derived' } as never
    const terms = () => termsOf({ amountNanogrin: 1n, expirySecs: seconds }, settings)
    if (isTaken) expect(terms().expirySecs).toBe(seconds)
    else expect(terms).toThrow(expiryInvalid(seconds).message)
    expect(createInvoiceBody.safeParse({ amount_grin: 1, expiry_secs: seconds }).success).toBe(isTaken)
  })

  test(`${isTaken ? 'pass' : 'do not pass'} the command`, async () => {
    // What passes gets as far as asking a till, of which there is none.
    const argv = ['1', '--expires', `${seconds}s`, '--url', 'http://127.0.0.1:9']
    const { exit, stderr } = await runCommandClass(InvoiceCreate, argv)
    const refusal = `--expires ${seconds}s is out of range: it takes 1m (60 s) to 365d`
    expect({ exit: exit === 2, said: stderr.includes(refusal) }).toEqual({ exit: !isTaken, said: !isTaken })
  })
})

test('the limits that are said are those that count', () => {
  const { error } = createInvoiceBody.safeParse({ amount_grin: 1, expiry_secs: 1 })
  for (const text of [expiryInvalid(1).message, error?.issues[0]?.message])
    expect(text).toContain(`a whole number from ${least} to ${most}`)
})
