import { describe, expect, onTestFinished, test } from 'vitest'
import { createReportsArea } from '../../../../src/till/console/index.js'
import { createReportJobs, type ReportJobs } from '../../../../src/till/console/reports/jobs.js'
import type { Invoice, Payment } from '../../../../src/till/index.js'
import { createReports } from '../../../../src/till/reports/reports.js'
import { openTestConsole } from '../../../support/console-app.js'
import { putInvoice, putPayment, quickTill } from '../../../support/quick-stores.js'
import { anInvoice, aPayment, DAY, grin, NOON } from '../../../support/till-builders.js'

const clock = { now: () => NOON, monotonic: () => NOON, sleep: () => new Promise<void>(() => {}) }

function aTill() {
  const store = quickTill()
  const add = (over: Partial<Payment>): void => {
    const payment = aPayment({ settlement: 'confirmed', confirmedAt: NOON, ...over })
    putPayment(store, payment)
  }
  return {
    report: createReports({ store, clock }).make,
    add,
    sell(amount: string | null, over: Partial<Payment> = {}, source = 'fixed', facts: Partial<Invoice> = {}): void {
      const fiat: Invoice['fiat'] = amount === null ? null : { amount, currency: 'usd', rate: '0.05', source }
      const invoice = anInvoice({ fiat, ...facts })
      putInvoice(store, invoice)
      add({ invoiceId: invoice.id, ...over })
    },
  }
}

async function openReports(jobs: ReportJobs, role: 'viewer' | 'cashier' | 'operator' = 'viewer') {
  const console = await openTestConsole({ areas: [createReportsArea(jobs)] })
  onTestFinished(console.remove)
  return console.signIn(role)
}

/** What a reader sees of some markup. */
const textOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

describe('the page', () => {
  test('shows the sums, each group, what stands apart, and where the file is', async () => {
    const till = aTill()
    till.sell('12.50')
    till.sell(null, { confirmedAt: NOON - DAY, amount: grin(0.5) })
    till.add({ amount: grin(7) })
    const browser = await openReports(createReportJobs({ till, clock }))
    const { statusCode, body } = await browser.get('/console/reports?from=2026-06&to=2026-07')
    expect(statusCode).toBe(200)
    expect(body).toContain('<h1>Sales 2026‑06‑01 to 2026‑07‑31</h1>')
    const table = textOf(body.slice(body.indexOf('<table'), body.indexOf('</table>')))
    expect(table).toBe('Sales by day Day Sales GRIN USD 2026-06-30 1 0.5 – 2026-07-01 1 2.0 12.50 Total 2 2.5 12.50')
    const { body: byCurrency } = await browser.get('/console/reports?by=currency&from=2026-06')
    expect(textOf(byCurrency)).toContain(
      'Currency Sales GRIN Price GRIN 1 0.5 – USD 1 2.0 12.50 USD Total 2 2.5 12.50 USD',
    )
    expect(textOf(body)).toContain('Unmatched 7 GRIN 1 payment, not in the sums')
    expect(body).toContain('<a href="/console/payments?show=waiting">Unmatched</a>')
    expect(body).toContain('href="/console/reports.csv?by=day&amp;from=2026-06-01&amp;to=2026-07-31"')
    expect(body).toContain('value="2026-07-31"')
    expect(body).not.toMatch(/<script|style="|http-equiv="refresh"/)
  })

  test('shows tips beside the sums, and says what was priced in GRIN', async () => {
    const till = aTill()
    till.sell('12.50', {}, 'fixed', { tip: '1.50' })
    till.sell(null, {}, 'fixed', { tip: '0.1' })
    till.sell(null, {}, 'fixed', { grinRate: { currency: 'usd', rate: '0.05', source: 'coingecko' } })
    const browser = await openReports(createReportJobs({ till, clock }))
    const { body } = await browser.get('/console/reports?from=2026-07')
    expect(textOf(body)).toContain('Day Sales GRIN USD Of which tips 2026-07-01 3 6 12.60 0.1 GRIN + 1.50 USD Total')
    expect(textOf(body)).toContain('Of which tips 1.50 USD')
    expect(textOf(body)).toContain('(coingecko, fixed); 1 sale priced in GRIN at the rate stored with each, rounded.')
  })

  test('without a question: this month by day; an unknown grouping is by day', async () => {
    const browser = await openReports(createReportJobs({ till: aTill(), clock }))
    for (const query of ['', '?by=&from=&to=&zone=', '?by=year'])
      expect((await browser.get(`/console/reports${query}`)).body).toContain('<h1>Sales 2026‑07‑01</h1>')
  })

  test('the longest one is turned over, each page below 60 KB; the sums are of all of it', async () => {
    const till = aTill()
    for (let day = 0; day < 400; day++)
      till.sell('123456789.12345678', { confirmedAt: NOON - day * DAY, amount: grin(1_234_567.123456789) })
    const browser = await openReports(createReportJobs({ till, clock }))
    const first = await browser.get('/console/reports?by=day&from=2025-05-28')
    expect(Buffer.byteLength(first.body)).toBeLessThan(60_000)
    expect(first.body).toContain('1–184 of 400')
    expect(first.body).toContain('<td role="cell">Total</td><td role="cell" class="number">400</td>')
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first.body) ?? []
    const last = await browser.get(next.replaceAll('&amp;', '&').replace('page=2', 'page=99'))
    expect(last.body).toContain('369–400 of 400')
    expect(last.body).toContain('2026-07-01')
  })

  test.each([
    ['zone=Mars%2F%3Cb%3E', 'No time zone has this name', '&lt;b&gt;'],
    ['from=2026-08-01&to=2026-07-01', 'From 2026-08-01 is after to 2026-07-01', 'Exchange the two'],
    ['from=2000-01&to=2026-07-01', 'are too many for one report by day', 'group by month'],
    ['from=yesterday', 'From is not a day or month', '2026-07-31'],
  ])('%s is refused above the form, with what was typed', async (query, reason, remedy) => {
    const browser = await openReports(createReportJobs({ till: aTill(), clock }))
    const { statusCode, body } = await browser.get(`/console/reports?by=day&${query}`)
    expect(statusCode).toBe(400)
    expect(body).toContain(reason)
    expect(body).toContain(remedy)
    expect(body).not.toContain('<b>')
    expect((await browser.get(`/console/reports.csv?by=day&${query}`)).statusCode).toBe(400)
  })

  test('is for viewers and operators', async () => {
    const jobs = createReportJobs({ till: aTill(), clock })
    for (const [role, status] of [
      ['viewer', 200],
      ['operator', 200],
      ['cashier', 403],
    ] as const)
      for (const path of ['/console/reports', '/console/reports.csv'])
        expect([role, (await (await openReports(jobs, role)).get(path)).statusCode]).toEqual([role, status])
  })

  test('while a long one is made: how far it is, and again in a second', async () => {
    const jobs: ReportJobs = {
      ask: async () => ({ state: 'running', payments: 120_000 }),
      csv: () => new Promise(() => {}),
    }
    const { body } = await (await openReports(jobs)).get('/console/reports')
    expect(body).toContain('120,000 payments')
    expect(body).toContain('<meta http-equiv="refresh" content="1">')
    expect(body).not.toContain('<form method="get"')
  })
})

test('the file has a name and the lines of the report', async () => {
  const till = aTill()
  till.sell('12.50', {}, '=1+1')
  const browser = await openReports(createReportJobs({ till, clock }))
  const { headers, body } = await browser.get('/console/reports.csv?by=month&from=2026-07')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['content-disposition']).toBe('attachment; filename="sales-2026-07-01-to-2026-07-01.csv"')
  expect(body).toContain("sale,2026-07,USD,1,2,12.50,'=1+1,,0\r\n")
})

describe('the jobs', () => {
  const QUESTION = { by: 'day' } as const

  test('a report that is made at once is made anew for the next one who asks', async () => {
    const till = aTill()
    const jobs = createReportJobs({ till, clock })
    const countOf = async () => {
      const answer = await jobs.ask(QUESTION)
      return answer.state === 'made' ? answer.report.total.count : answer
    }
    expect(await countOf()).toBe(0)
    till.sell('1')
    expect(await countOf()).toBe(1)
  })

  test('a long one: running, then made and kept for a while, then made anew', async () => {
    let time = 0
    let end: () => void = () => {}
    let calls = 0
    const whole = await aTill().report(QUESTION)
    const jobs = createReportJobs({
      clock: { now: () => NOON, monotonic: () => time, sleep: async () => undefined },
      till: {
        async report(_, { onProgress } = {}) {
          calls += 1
          onProgress?.(256)
          await new Promise<void>((resolve) => {
            end = resolve
          })
          return whole
        },
      },
    })
    expect(await jobs.ask(QUESTION)).toEqual({ state: 'running', payments: 256 })
    expect(await jobs.ask(QUESTION)).toEqual({ state: 'running', payments: 256 })
    time = 1_000
    end()
    expect(await jobs.csv(QUESTION)).toMatchObject({ from: '2026-07-01' })
    time = 20_999
    expect(await jobs.ask(QUESTION)).toEqual({ state: 'made', report: whole, madeAt: NOON })
    expect(calls).toBe(1)
    time = 21_001
    expect(await jobs.ask(QUESTION)).toEqual({ state: 'running', payments: 256 })
    expect(calls).toBe(2)
  })

  test('a failure is told and not kept', async () => {
    const till = aTill()
    const jobs = createReportJobs({ till, clock })
    for (let i = 0; i < 2; i++)
      await expect(jobs.ask({ by: 'day', zone: 'Nowhere' })).rejects.toMatchObject({ code: 'REPORT_ZONE_UNKNOWN' })
  })
})
