// What every page and action of the console gets, whatever its area forgets.
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ConsoleAction, ConsoleArea, ConsolePage } from '../../src/console/index.js'
import { defineError } from '../../src/lib/errors.js'
import { formFields, openTestConsole } from '../support/console-app.js'

const outOfStock = defineError('OUT_OF_STOCK', { status: 409, text: () => 'nothing is left', hint: 'come back later' })

let sold: string[] = []
let price = '1'

const shelf: ConsolePage = {
  path: '/shelf/:id',
  title: 'Shelf',
  least: 'viewer',
  async render({ params, view, person }) {
    if (params.id === 'broken') throw new Error('a secret of the server')
    return { body: view('people/end-session', { id: `<b>${params.id}</b>`, own: person.role === 'operator' }) }
  },
}
const empty: ConsolePage = {
  path: '/shelf',
  title: 'Shelves',
  least: 'viewer',
  navigation: { label: 'Shelves', order: 1 },
  render: async ({ view }) => ({
    body: view('parts/empty', { title: 'No shelves', text: 'Yet.' }),
    refreshSeconds: 15,
  }),
}
const prices: ConsolePage = {
  path: '/prices',
  title: 'Prices',
  least: 'cashier',
  render: async () => ({ download: 'prices.csv', type: 'text/csv', content: 'a,b\n' }),
}
const sell: ConsoleAction = {
  path: '/shelf/:id/sell',
  id: 'shelf.sell',
  least: 'cashier',
  fields: { count: { max: 3, pattern: /^\d+$/ }, card: { max: 20 } },
  audited: ['count'],
  object: ({ params }) => params.id ?? '',
  async confirm({ params, form }) {
    const facts = [['Price', price]] as const
    return { question: `Sell ${params.id}?`, facts, consequence: `${form.count} go.`, verb: 'Sell', back: '/shelf' }
  },
  async perform({ params, form }) {
    if (params.id === 'gone') throw outOfStock()
    sold.push(`${params.id} ${form.count}`)
    return { to: '/shelf', flash: { tone: 'good', text: 'Sold <1>.' } }
  },
}
const AREA: ConsoleArea = { id: 'shelf', pages: [shelf, empty, prices], actions: [sell] }

let desk: Awaited<ReturnType<typeof openTestConsole>>
beforeEach(async () => {
  ;[sold, price] = [[], '1']
  desk = await openTestConsole({ areas: [AREA] })
})
afterEach(() => desk.remove())

const audit = async (): Promise<readonly string[]> =>
  (await desk.store.auditPage(50)).items
    .map(({ person, action, object, outcome }) => `${person} ${action} ${object} ${outcome}`)
    .filter((line) => !line.includes('session.enter'))

/** Goes through both steps. */
async function sellAs(role: 'cashier' | 'operator', id: string, fields: Readonly<Record<string, string>>) {
  const browser = await desk.signIn(role)
  const token = await tokenFor(browser, `/shelf/${id}/sell`)
  const asked = await browser.post(`/console/shelf/${id}/sell`, { ...token, ...fields })
  return {
    browser,
    asked,
    again: () => browser.post(`/console/shelf/${id}/sell`, formFields(asked.body, `/console/shelf/${id}/sell`)),
  }
}

/** What `it.ui.form` writes into a page. */
async function tokenFor(browser: { readonly cookie: string }, path: string) {
  const { sealOf } = await import('../../src/console/sign-in/tokens.js')
  return { token: sealOf(browser.cookie.split('=')[1] ?? '', 'form', path) }
}

test('every page is private, still, and never kept', async () => {
  const browser = await desk.signIn('viewer')
  const { headers, body, statusCode } = await browser.get('/console/shelf')
  expect(statusCode).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['referrer-policy']).toBe('no-referrer')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(headers['content-security-policy']).not.toContain('script-src')
  expect(body).toContain('<meta http-equiv="refresh" content="15">')
  expect(body).not.toMatch(/<script|style="| on\w+=/)
})

test('a page escapes what it is given, and shows only the entries of the role', async () => {
  const browser = await desk.signIn('viewer')
  const { body } = await browser.get('/console/shelf/%3Ci%3E')
  expect(body).toContain('&lt;b&gt;&lt;i&gt;&lt;/b&gt;')
  expect(body).not.toContain('href="/console/audit"')
  const { body: whole } = await (await desk.signIn('operator')).get('/console/shelf/one')
  expect(whole).toContain('<a href="/console/shelf" aria-current="page">Shelves</a>')
  expect([...whole.matchAll(/class="begins"><a href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['/console/people'])
  expect(whole).toContain('href="/console/audit"')
})

test('nobody sees a page without signing in, and is told how', async () => {
  for (const url of ['/console/', '/console/shelf', '/console/prices', '/console/sessions']) {
    const { statusCode, body } = await desk.ask({ method: 'GET', url })
    expect([url, statusCode]).toEqual([url, 401])
    expect(body).toContain('grinpay console open')
  }
})

test.each([
  ['viewer', 200, 403, 403],
  ['cashier', 403, 200, 403],
  ['operator', 200, 200, 200],
] as const)('a %s sees what the role allows', async (role, books, counter, people) => {
  const browser = await desk.signIn(role)
  const seen = await Promise.all(['/console/shelf', '/console/prices', '/console/audit'].map((url) => browser.get(url)))
  expect(seen.map(({ statusCode }) => statusCode)).toEqual([books, counter, people])
})

test('a role that tries more is refused before the action, and that is written down', async () => {
  const browser = await desk.signIn('viewer')
  const token = await tokenFor(browser, '/shelf/one/sell')
  const { statusCode, body } = await browser.post('/console/shelf/one/sell', { ...token, count: '1' })
  expect(statusCode).toBe(403)
  expect(body).toContain('Nothing was changed')
  expect(sold).toEqual([])
  expect(await audit()).toEqual(['viewer shelf.sell /shelf/one/sell refused: CONSOLE_ROLE'])
})

test('a dangerous action shows the facts first, runs once they are confirmed, and is audited', async () => {
  const { asked, again } = await sellAs('cashier', 'one', { count: '2', card: 'secret' })
  expect(asked.statusCode).toBe(200)
  expect(asked.body).toContain('Sell one?')
  expect(sold).toEqual([])
  const done = await again()
  expect(done.statusCode).toBe(303)
  expect(sold).toEqual(['one 2'])
  const [entry] = (await desk.store.auditPage(1)).items
  expect(entry).toMatchObject({
    person: 'cashier',
    action: 'shelf.sell',
    object: 'one',
    values: { count: '2' },
    outcome: 'done',
  })
})

test('a confirmation counts for the facts that were shown, and for nothing else', async () => {
  const { browser, asked, again } = await sellAs('cashier', 'one', { count: '2' })
  price = '2'
  const changed = await again()
  expect(changed.body).toContain('has changed since you looked')
  const fields = formFields(asked.body, '/console/shelf/one/sell')
  price = '1'
  expect((await browser.post('/console/shelf/one/sell', { ...fields, count: '3' })).statusCode).toBe(200)
  expect(sold).toEqual([])
})

test('the next page says what was done; words of a stranger do not get there', async () => {
  const { browser, again } = await sellAs('operator', 'one', { count: '1' })
  const to = String((await again()).headers.location)
  expect((await browser.get(to)).body).toContain('Sold &lt;1&gt;.')
  expect((await browser.get(to.replace('Sold', 'Lost'))).body).not.toContain('role="status"')
})

test('a refusal of the daemon is a page with its remedy, and stands in the audit log', async () => {
  const { again } = await sellAs('cashier', 'gone', { count: '1' })
  const { statusCode, body } = await again()
  expect(statusCode).toBe(409)
  expect(body).toContain('Nothing is left.')
  expect(body).toContain('Come back later.')
  expect(await audit()).toEqual(['cashier shelf.sell gone refused: OUT_OF_STOCK'])
})

test('a fault of the server tells nothing but its number', async () => {
  const browser = await desk.signIn('viewer')
  const { statusCode, body } = await browser.get('/console/shelf/broken')
  expect(statusCode).toBe(500)
  expect(body).not.toContain('secret of the server')
  expect(body).toMatch(/request [0-9a-f]{16}/)
})

test('what cannot be written into the audit log is not done, as when the till stops while the page is open', async () => {
  const { again, browser } = await sellAs('cashier', 'one', { count: '1' })
  await desk.store.close()
  const { statusCode, body } = await again()
  expect(statusCode).toBe(503)
  expect(body).toContain('This does not work right now')
  expect((await browser.get('/console/prices')).statusCode).toBe(503)
  expect(sold).toEqual([])
})

test('what was done and could not be written down as done is not called refused', async () => {
  const { openSqlite } = await import('../../src/storage/sqlite/sqlite.js')
  const { again } = await sellAs('cashier', 'one', { count: '1' })
  const other = openSqlite(desk.path, 'durable')
  other.script(
    "CREATE TRIGGER full BEFORE INSERT ON audit_end WHEN NEW.outcome = 'done' BEGIN SELECT RAISE(ABORT, 'full'); END",
  )
  other.close()
  expect((await again()).statusCode).toBeGreaterThanOrEqual(500)
  expect(sold).toEqual(['one 1'])
  expect(await audit()).toEqual(['cashier shelf.sell one null'])
})

test.each([
  ['no token', {}],
  ['a token of another form', { token: 'other' }],
])('a form with %s changes nothing', async (_name, fields) => {
  const browser = await desk.signIn('cashier')
  const other = 'token' in fields ? await tokenFor(browser, '/shelf/two/sell') : {}
  const { statusCode, body } = await browser.post('/console/shelf/one/sell', { ...other, count: '1' })
  expect(statusCode).toBe(403)
  expect(body).toContain('nothing was changed')
  expect(await audit()).toEqual(['cashier shelf.sell /shelf/one/sell refused: CONSOLE_FOREIGN_FORM'])
})

test('a token of another session does not count', async () => {
  const [mine, theirs] = [await desk.signIn('cashier'), await desk.signIn('cashier')]
  const token = await tokenFor(theirs, '/shelf/one/sell')
  expect((await mine.post('/console/shelf/one/sell', { ...token, count: '1' })).statusCode).toBe(403)
})

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a neighbouring site', { 'sec-fetch-site': 'same-site' }],
  ['another origin', { origin: 'https://evil.example' }],
])('a form from %s is refused, whatever it carries', async (_name, headers) => {
  const browser = await desk.signIn('cashier')
  const token = await tokenFor(browser, '/shelf/one/sell')
  const sent = (extra: object) => browser.post('/console/shelf/one/sell', { ...token, count: '1' }, extra)
  expect((await sent(headers)).statusCode).toBe(403)
  expect((await sent({ 'sec-fetch-site': 'same-origin', origin: 'null' })).statusCode).toBe(200)
})

test.each([
  ['a picture or script of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
  ['a page at another port of localhost', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 403],
  ['a frame', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }, 403],
  ['a link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }, 200],
  ['an own script', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, 200],
] as const)('%s is answered as it should be', async (_name, headers, status) => {
  const { cookie } = await desk.signIn('viewer')
  const answer = await desk.ask({ method: 'GET', url: '/console/shelf', headers: { cookie, ...headers } })
  expect(answer.statusCode).toBe(status)
  expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
})

test.each([
  ['an unknown field', { count: '1', price: '0' }],
  ['a text that is too long', { count: '1', card: 'x'.repeat(21) }],
  ['a wrong form', { count: 'one' }],
])('%s is refused', async (_name, fields) => {
  const browser = await desk.signIn('cashier')
  const token = await tokenFor(browser, '/shelf/one/sell')
  expect((await browser.post('/console/shelf/one/sell', { ...token, ...fields })).statusCode).toBe(400)
})

test.each(['evil.example', 'localhost.evil.example', '10.0.0.1:3480', 'localhost@evil.example'])(
  'the host "%s" gets nothing',
  async (host) => {
    const { statusCode, body } = await desk.ask({ method: 'GET', url: '/console/shelf', headers: { host } })
    expect(statusCode).toBe(421)
    expect(body).toContain('public address of its settings')
  },
)

test.each(['localhost', '127.0.0.1:9999', '[::1]:3480', 'LOCALHOST:3480'])('the host "%s" is ours', async (host) => {
  expect((await desk.ask({ method: 'GET', url: '/console/shelf', headers: { host } })).statusCode).toBe(401)
})

test('a download is a file, and no page', async () => {
  const browser = await desk.signIn('cashier')
  const { headers, body } = await browser.get('/console/prices')
  expect(headers['content-disposition']).toBe('attachment; filename="prices.csv"')
  expect(headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(body).toBe('a,b\n')
})

test('one session may ask 120 times a minute, another is not in its way', async () => {
  const [busy, calm] = [await desk.signIn('viewer'), await desk.signIn('viewer')]
  for (let at = 0; at < 120; at++) expect((await busy.get('/console/shelf')).statusCode).toBe(200)
  const { statusCode, headers, body } = await busy.get('/console/shelf')
  expect(statusCode).toBe(429)
  expect(Number(headers['retry-after'])).toBe(60)
  expect(body).toContain('One moment')
  expect((await calm.get('/console/shelf')).statusCode).toBe(200)
})

test('those who ask for JSON get problems as JSON', async () => {
  const { json } = await desk.ask({ method: 'GET', url: '/console/shelf', headers: { accept: 'application/json' } })
  expect(json()).toMatchObject({ code: 'CONSOLE_NOT_SIGNED_IN', status: 401 })
})

test('the first page is the first one of the role', async () => {
  const start = async (role: 'viewer' | 'operator') =>
    (await (await desk.signIn(role)).get('/console/')).headers.location
  expect(await start('viewer')).toBe('/console/shelf')
})
