import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import Report from '../../src/commands/report.js'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { putInvoice, putPayment } from '../support/quick-stores.js'
import { type TillForCommands, tillForCommands } from '../support/run-command.js'
import { anInvoice, aPayment, DAY, grin, NOON } from '../support/till-builders.js'

let at: TillForCommands
beforeEach(async () => {
  at = await tillForCommands()
})
afterEach(() => at.close())

function sell(fiat: string | null, { daysAgo = 0, amount = grin(2), tip = null as string | null } = {}): void {
  const quote = { currency: 'usd', rate: '0.05', source: 'fixed', rateAt: NOON }
  const invoice = anInvoice({ fiat: fiat === null ? null : { amount: fiat, ...quote }, tip })
  putInvoice(at.till.reported, invoice)
  add({ invoiceId: invoice.id, confirmedAt: NOON - daysAgo * DAY, amount })
}

function add(over: Parameters<typeof aPayment>[0]): void {
  const payment = aPayment({ settlement: 'confirmed', confirmedAt: NOON, ...over })
  putPayment(at.till.reported, payment)
}

const ALL = ['--from', '2026-01', '--to', '2026-12'] as const

test('in a pipe: a line for each group on stdout, the sums for people on stderr', async () => {
  sell('12.50', { tip: '1' })
  sell(null, { daysAgo: 1, amount: grin(0.5) })
  sell('0.01', { daysAgo: 1 })
  add({ amount: grin(7) })
  const { stdout, stderr, exit } = await at.run(Report, ...ALL)
  expect([exit, stdout]).toEqual([0, '2026-06-30\t2\t2.5\t0.01 USD\t-\n2026-07-01\t1\t2\t12.50 USD\t1.00 USD\n'])
  expect(stderr).toBe(
    '2026-01-01 to 2026-12-31 (UTC): 3 sales, 4.5 GRIN, 12.51 USD, of which tips 1.00 USD, no fees\nunmatched: 1 payment, 7 GRIN, not in the sums above\n',
  )
})

test('nothing sold is an empty answer and no failure', async () => {
  const { stdout, stderr, exit } = await at.run(Report, '--by', 'rail')
  expect([exit, stdout, stderr]).toEqual([0, '', '2026-07-01 to 2026-07-01 (UTC): 0 sales, 0 GRIN, no fees\n'])
})

test('-q prints the sum of the sales alone', async () => {
  sell('1')
  sell('1')
  expect(await at.run(Report, ...ALL, '-q')).toEqual({ stdout: '4\n', stderr: '', exit: 0 })
})

test('--json: one document, amounts as decimal text', async () => {
  sell('12.5', { amount: nanoGrin(9_007_199_254_740_993n) })
  const { stdout } = await at.run(Report, ...ALL, '--by', 'currency', '--zone', 'Europe/Berlin', '--json')
  const sums = { count: 1, amount_grin: '9007199.254740993' }
  const prices = [{ currency: 'USD', ...sums, fiat: '12.50', sources: ['fixed'], tips: null, converted: 0 }]
  const none = { count: 0, amount_grin: '0' }
  expect(JSON.parse(stdout)).toEqual({
    ...{ by: 'currency', from: '2026-01-01', to: '2026-12-31', zone: 'Europe/Berlin' },
    ...{ starts_at: '2025-12-31T23:00:00Z', ends_at: '2026-12-31T23:00:00Z' },
    groups: [{ group: 'USD', ...sums, prices }],
    total: { ...sums, prices },
    ...{ users: none, unmatched: none, confirmed: sums, fees: 0, chain: 'mainnet' },
  })
})

test('--csv prints the file', async () => {
  sell('12.5')
  const { stdout, stderr, exit } = await at.run(Report, ...ALL, '--by', 'month', '--csv')
  expect([exit, stderr]).toEqual([0, ''])
  expect(stdout.split('\r\n').slice(0, 2)).toEqual([
    'kind,group,currency,payments,amount_grin,fiat_amount,rate_sources,tips,converted',
    'sale,2026-07,USD,1,2,12.50,fixed,,0',
  ])
})

describe('bad input', () => {
  test.each([
    [['--zone', 'Mars/Olympus'], 'Mars/Olympus', 'Europe/Berlin'],
    [['--from', '2026-08-01'], '2026-08-01 is after to 2026-07-01', 'exchange'],
    [['--from', 'yesterday'], '"yesterday"', '2026-07-31'],
    [['--from', '1990-01-01'], '13331 days', 'group by month'],
    [['--by', 'year'], 'year', ''],
    [['--csv', '--json'], '--json', ''],
  ])('%j exits with 2 and says what to write', async (flags, value, remedy) => {
    for (const more of flags.includes('--json') ? [[]] : [[], ['--csv']]) {
      const { stdout, stderr, exit } = await at.run(Report, ...flags, ...more)
      expect(exit).toBe(2)
      expect(stdout + stderr).toContain(value)
      expect(stdout + stderr).toContain(remedy)
    }
  })
})
