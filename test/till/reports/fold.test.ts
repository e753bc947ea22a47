import { describe, expect, test } from 'vitest'
import type { ConfirmedRow } from '../../../src/till/index.js'
import { createCalendar } from '../../../src/till/reports/calendar.js'
import { addRow, noDaySums } from '../../../src/till/reports/day-sums.js'
import { createFold, reportCsv } from '../../../src/till/reports/fold.js'
import type { Grouping, Report } from '../../../src/till/reports/model.js'
import { aConfirmedRow, grin, HOUR, NOON } from '../../support/till-builders.js'

const priced = (amount: string, currency = 'usd', source = 'fixed') => ({ amount, currency, rate: '0.05', source })
const aRow = (over: Partial<ConfirmedRow> = {}): ConfirmedRow => aConfirmedRow({ amount: grin(2), ...over })

function sumsOf(by: Grouping, rows: readonly ConfirmedRow[], zone = 'UTC') {
  const calendar = createCalendar(zone)
  if (!calendar) throw new Error(zone)
  const fold = createFold(by)
  for (const row of rows) {
    const sums = noDaySums()
    addRow(sums, row)
    fold.add(calendar.spanOf(row.confirmedAt).day, sums)
  }
  return fold.sums()
}

const keysOf = (by: Grouping, rows: readonly ConfirmedRow[], zone?: string) =>
  sumsOf(by, rows, zone).groups.map(({ key, count }) => [key, count])

describe('groups', () => {
  const rows = [aRow({ confirmedAt: NOON - 24 * HOUR, rail: 'slatepack' }), aRow(), aRow({ fiat: priced('1', 'Eur') })]
  test.each<[Grouping, unknown]>([
    [
      'day',
      [
        ['2026-06-30', 1],
        ['2026-07-01', 2],
      ],
    ],
    [
      'month',
      [
        ['2026-06', 1],
        ['2026-07', 2],
      ],
    ],
    [
      'currency',
      [
        ['EUR', 1],
        ['GRIN', 2],
      ],
    ],
    [
      'rail',
      [
        ['nostr', 2],
        ['slatepack', 1],
      ],
    ],
  ])('by %s', (by, groups) => expect(keysOf(by, rows)).toEqual(groups))

  test('days are those of the zone', () =>
    expect(keysOf('day', [aRow()], 'Pacific/Kiritimati')).toEqual([['2026-07-02', 1]]))

  test('none without a sale', () => expect(keysOf('day', [aRow({ kind: 'unmatched' })])).toEqual([]))
})

describe('sums', () => {
  test('amounts are exact beyond what a double and what 64 bits hold', () => {
    const most = grin(18_000_000_000)
    const { total, confirmed } = sumsOf('day', [
      aRow({ amount: most }),
      aRow({ amount: most }),
      aRow({ amount: grin(1e-9) }),
    ])
    expect([total.amount, confirmed.amount]).toEqual([2n * most + 1n, 2n * most + 1n])
  })

  test('each currency by itself, in any letter case, exact, with the digits it has', () => {
    const { total } = sumsOf('day', [
      aRow({ fiat: priced('0.1') }),
      aRow({ fiat: priced('0.2', 'USD', 'coingecko') }),
      aRow({ fiat: priced('1200', 'jpy') }),
      aRow({ fiat: priced('1', 'kwd') }),
      aRow({ fiat: priced('0.00000001', 'btc') }),
      aRow(),
    ])
    expect(total.prices.map(({ currency, count, fiat, sources }) => [currency, count, fiat, sources])).toEqual([
      ['BTC', 1, '0.00000001', ['fixed']],
      ['GRIN', 1, null, []],
      ['JPY', 1, '1200', ['fixed']],
      ['KWD', 1, '1.000', ['fixed']],
      ['USD', 2, '0.30', ['coingecko', 'fixed']],
    ])
    expect(total.count).toBe(6)
  })

  test('a sale priced in GRIN counts at its rate, to the smallest unit of the currency; without one in GRIN', () => {
    const rate = (text: string, currency = 'usd') => ({ currency, rate: text, source: 'coingecko' })
    const { total, groups } = sumsOf('currency', [
      aRow({ amount: grin(1.5), grinRate: rate('0.05') }), // 0.075
      aRow({ amount: grin(1), grinRate: rate('0.0149999999') }),
      aRow({ fiat: priced('1.10') }),
      aRow({ amount: grin(100), grinRate: rate('3.005', 'jpy') }), // 300.5
      aRow({ amount: grin(2), grinRate: rate('0.00000021', 'xgold') }),
      aRow({ grinRate: rate('1e3') }),
    ])
    expect(total.prices.map(({ currency, count, fiat, converted }) => [currency, count, fiat, converted])).toEqual([
      ['GRIN', 1, null, 0],
      ['JPY', 1, '301', 1],
      ['USD', 3, '1.19', 2],
      ['XGOLD', 1, '0.00000042', 1],
    ])
    expect(total.prices[2]?.sources).toEqual(['coingecko', 'fixed'])
    expect(groups.map(({ key, count, prices }) => [key, count, prices.length])).toEqual([
      ['GRIN', 5, 4],
      ['USD', 1, 1],
    ])
  })

  test('tips are summed in the currency of the value', () => {
    const { total } = sumsOf('day', [
      aRow({ fiat: priced('11'), tip: '1.00' }),
      aRow({ grinRate: { currency: 'usd', rate: '0.5', source: 'x' }, tip: '0.5' }),
      aRow({ tip: '0.000000001' }),
      aRow({ tip: '0.25' }),
      aRow({ fiat: priced('1', 'eur') }),
    ])
    expect(total.prices.map(({ currency, tips }) => [currency, tips])).toEqual([
      ['EUR', null],
      ['GRIN', '0.250000001'],
      ['USD', '1.25'],
    ])
  })

  test('SATS have no decimals, nor have other currencies without them', () => {
    const rows = ['sats', 'jpy', 'krw', 'usd', 'kwd', 'btc'].map((currency) => aRow({ fiat: priced('100', currency) }))
    expect(
      sumsOf('day', rows)
        .total.prices.map(({ currency, fiat }) => `${fiat} ${currency}`)
        .sort(),
    ).toEqual(['100 JPY', '100 KRW', '100 SATS', '100.00 BTC', '100.00 USD', '100.000 KWD'])
  })

  test('a price with more decimals than people write is rounded, not left out', () => {
    const { total } = sumsOf('day', [aRow({ fiat: priced('3.3000000000000003') })])
    expect(total.prices.map(({ fiat }) => fiat)).toEqual(['3.30'])
  })

  test('a price of an earlier program that is no plain decimal counts in GRIN; a missing source is unknown', () => {
    const { total } = sumsOf('day', [aRow({ fiat: priced('1e3') }), aRow({ fiat: priced('1', 'usd', '') })])
    expect(total.prices).toMatchObject([
      { currency: 'GRIN', count: 1 },
      { currency: 'USD', fiat: '1.00', sources: ['unknown'] },
    ])
  })

  test('payments of users and unmatched ones stand apart', () => {
    const sums = sumsOf('rail', [aRow(), aRow({ kind: 'user', amount: grin(3) }), aRow({ kind: 'unmatched' })])
    expect(sums.users).toEqual({ count: 1, amount: grin(3) })
    expect(sums.unmatched).toEqual({ count: 1, amount: grin(2) })
    expect(sums.total).toMatchObject({ count: 1, amount: grin(2) })
    expect(sums.confirmed).toEqual({ count: 3, amount: grin(7) })
  })
})

describe('the CSV file', () => {
  const csvOf = (by: Grouping, rows: readonly ConfirmedRow[]) => reportCsv({ ...sumsOf(by, rows) } as Report)

  test('has a header, a line for each group and currency, and what stands apart', () => {
    const rows = [aRow(), aRow({ fiat: priced('12.5'), tip: '1.5' }), aRow({ kind: 'unmatched', amount: grin(0.5) })]
    expect(csvOf('day', rows).split('\r\n')).toEqual([
      'kind,group,currency,payments,amount_grin,fiat_amount,rate_sources,tips,converted',
      'sale,2026-07-01,GRIN,1,2,,,,0',
      'sale,2026-07-01,USD,1,2,12.50,fixed,1.50,0',
      'user,,,0,0,,,,',
      'unmatched,,,1,0.5,,,,',
      '',
    ])
  })

  test.each([
    ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['a,b', '"a,b"'],
  ])('a source %s stays a text', (source, cell) => {
    expect(
      csvOf('day', [aRow({ fiat: priced('1', 'usd', source) })])
        .split('\r\n')[1]
        ?.endsWith(`,1.00,${cell},,0`),
    ).toBe(true)
  })
})
