import { describe, expect, test } from 'vitest'
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { reportSchema } from '../../../src/till/routes/reports.js'
import { putInvoice, putPayment } from '../../support/quick-stores.js'
import { ADMIN, tillApp } from '../../support/till-app.js'
import { anInvoice, aPayment, NOON } from '../../support/till-builders.js'

async function start() {
  const { app, till } = await tillApp()
  const fiat = { amount: '12.5', currency: 'usd', rate: '0.05', source: 'fixed', rateAt: NOON }
  const invoice = anInvoice({ fiat })
  putInvoice(till.reported, invoice)
  const confirmed = { settlement: 'confirmed', confirmedAt: NOON } as const
  const sale = aPayment({ ...confirmed, invoiceId: invoice.id, rail: 'nostr' })
  const unmatched = aPayment({ ...confirmed, amount: nanoGrin(9_007_199_254_740_993n) })
  for (const payment of [sale, unmatched]) putPayment(till.reported, payment)
  const get = (query: string) => app.inject({ url: `/admin/report${query}`, headers: ADMIN })
  return { get, unmatched }
}

test('GET /admin/report: groups, totals, and what stands apart', async () => {
  const { get, unmatched } = await start()
  const answer = await get('?by=day&from=2026-07&zone=Europe/Berlin')
  const sales = {
    ...{ count: 1, amount: 2_000_000_000, amount_grin: '2' },
    prices: [
      {
        currency: 'USD',
        count: 1,
        amount: 2_000_000_000,
        amount_grin: '2',
        fiat: '12.50',
        sources: ['fixed'],
        tips: null,
        converted: 0,
      },
    ],
  }
  expect(reportSchema.parse(answer.json())).toMatchObject({
    ...{ by: 'day', from: '2026-07-01', to: '2026-07-01', zone: 'Europe/Berlin', fees: 0 },
    ...{ starts_at: '2026-06-30T22:00:00Z', ends_at: '2026-07-01T22:00:00Z' },
    groups: [{ group: '2026-07-01', ...sales }],
    total: sales,
    users: { count: 0, amount: 0, amount_grin: '0' },
    unmatched: { count: 1 },
    confirmed: { count: 2 },
  })
  // Every digit, also where a double would lose one.
  expect(answer.body).toContain(`"unmatched":{"count":1,"amount":${unmatched.amount},`)
})

test('GET /admin/report.csv is a file', async () => {
  const { get } = await start()
  const answer = await get('.csv?by=currency')
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
  expect(answer.body).toContain('\r\nsale,USD,USD,1,2,12.50,fixed,,0\r\n')
})

describe('bad input', () => {
  test.each([
    ['', 'INVALID_REQUEST', 'by must be day, month, currency or rail'],
    ['?by=year', 'INVALID_REQUEST', 'by must be day, month, currency or rail'],
    ['?by=day&from=2026-02-30', 'REPORT_DATE_INVALID', '"2026-02-30"'],
    ['?by=day&from=2026-08', 'REPORT_RANGE_BACKWARDS', 'from 2026-08-01 is after to 2026-07-01'],
    ['?by=day&from=2000', 'REPORT_DATE_INVALID', '"2000"'],
    ['?by=day&from=2000-01', 'REPORT_RANGE_TOO_LONG', 'too many'],
    ['?by=day&zone=Mars/Olympus', 'REPORT_ZONE_UNKNOWN', '"Mars/Olympus"'],
    [`?by=day&zone=${'x'.repeat(65)}`, 'INVALID_REQUEST', 'zone must be'],
    [`?by=day&from=${'9'.repeat(65)}`, 'INVALID_REQUEST', 'from'],
  ])('%s is 400 %s', async (query, code, text) => {
    const { get } = await start()
    for (const path of [query, `.csv${query}`]) {
      const answer = await get(path)
      expect([answer.statusCode, answer.json().code]).toEqual([400, code])
      expect(answer.json().error).toContain(text)
    }
  })
})
