// Links, sessions and cookies: what opens the console, and what no longer does.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newLink } from '../../src/console/index.js'
import { createSignIn } from '../../src/console/sign-in/sign-in.js'
import { databaseWriteFailed } from '../../src/storage/errors.js'
import { systemRandom } from '../../src/system/index.js'
import { openTestConsole } from '../support/console-app.js'
import { NOON } from '../support/till-builders.js'

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000]

let desk: Awaited<ReturnType<typeof openTestConsole>>
beforeEach(async () => {
  desk = await openTestConsole()
})
afterEach(() => desk.remove())

const statusOf = async (asked: Promise<{ readonly statusCode: number }>): Promise<number> => (await asked).statusCode

describe('a link', () => {
  test('is not spent by looking at it, as a preview in a chat does', async () => {
    const url = await desk.link()
    for (let at = 0; at < 3; at++) {
      const { statusCode, headers, body } = await desk.ask({ method: 'GET', url })
      expect([statusCode, headers['set-cookie']]).toEqual([200, undefined])
      expect(body).toContain(`<form method="post" action="${url}">`)
    }
    expect(await statusOf(desk.ask({ method: 'POST', url }))).toBe(200)
  })

  test('signs in once: whoever comes second is told so, and gets nothing', async () => {
    const url = await desk.link()
    await desk.ask({ method: 'POST', url })
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, headers, body } = await desk.ask({ method, url })
      expect([method, statusCode, headers['set-cookie']]).toEqual([method, 410, undefined])
      expect(body).toContain('was used already')
    }
  })

  test('two browsers at the same moment: one of them gets in', async () => {
    const url = await desk.link()
    const answers = await Promise.all([desk.ask({ method: 'POST', url }), desk.ask({ method: 'POST', url })])
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
    expect(await desk.store.liveSessions(NOON)).toHaveLength(1)
  })

  test('expires after a minute', async () => {
    const [early, late] = [await desk.link(), await desk.link()]
    desk.time.now += 59 * SECOND
    expect(await statusOf(desk.ask({ method: 'POST', url: early }))).toBe(200)
    desk.time.now += SECOND
    const { statusCode, body } = await desk.ask({ method: 'POST', url: late })
    expect(statusCode).toBe(410)
    expect(body).toContain('expired')
    expect(body).toContain('grinpay console open')
  })

  test('of before the clock was set back does not live longer for it', async () => {
    const url = await desk.link()
    desk.time.now -= HOUR
    const { statusCode, body } = await desk.ask({ method: 'POST', url })
    expect(statusCode).toBe(410)
    expect(body).toContain('clock')
  })

  test.each(['short', 'A'.repeat(43), '%3Cscript%3E', `${'A'.repeat(42)}%00`])(
    'that was never made (%s) opens nothing',
    async (token) => {
      const { statusCode, headers, body } = await desk.ask({ method: 'POST', url: `/console/enter/${token}` })
      expect([statusCode, headers['set-cookie']]).toEqual([410, undefined])
      expect(body).not.toContain('<script')
    },
  )

  test('is not guessed at: ten attempts a minute from one address', async () => {
    const tries = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () => statusOf(desk.ask({ method: 'POST', url: '/console/enter/guess' }))),
      )
    expect(await tries(10)).toEqual(Array(10).fill(410))
    expect(await tries(2)).toEqual([429, 429])
    desk.time.now += 61 * SECOND
    expect(await tries(1)).toEqual([410])
  })

  test('posted by a page of another site opens nothing', async () => {
    const url = await desk.link()
    const { statusCode } = await desk.ask({ method: 'POST', url, headers: { 'sec-fetch-site': 'cross-site' } })
    expect(statusCode).toBe(403)
    expect(await desk.store.liveSessions(NOON)).toEqual([])
  })

  test('leads on by a page, so that the cookie is sent along', async () => {
    const { headers, body } = await desk.ask({ method: 'POST', url: await desk.link() })
    expect(headers.refresh).toBe('0; url=/console/')
    expect(headers.location).toBeUndefined()
    expect(body).toContain('href="/console/"')
  })
})

describe('the cookie', () => {
  test('is for this host and this site only, and no script reads it', async () => {
    const { headers } = await desk.ask({ method: 'POST', url: await desk.link() })
    expect(headers['set-cookie']).toMatch(/^grinpay-3480=[\w-]{43}; Path=\/console; HttpOnly; SameSite=Strict$/)
  })

  test('is Secure at the public address, and only one of there counts there', async () => {
    const behind = await openTestConsole({ url: 'https://console.example' })
    try {
      const host = { host: 'console.example' }
      const { headers } = await behind.ask({ method: 'POST', url: await behind.link(), headers: host })
      const set = String(headers['set-cookie'])
      expect(set).toMatch(/^__Host-grinpay=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
      const [pair = ''] = set.split(';')
      const asked = (cookie: string) =>
        statusOf(behind.ask({ method: 'GET', url: '/console/sessions', headers: { ...host, cookie } }))
      expect(await asked(pair)).toBe(200)
      expect(await asked(pair.replace('__Host-grinpay', 'grinpay-80'))).toBe(401)
      const named = await behind.ask({
        method: 'POST',
        url: await behind.link(),
        headers: { host: 'console.example:443' },
      })
      expect(String(named.headers['set-cookie'])).toContain('__Host-')
    } finally {
      await behind.remove()
    }
  })

  test('of an open listener is never set over plain http: the https address is the only one', async () => {
    const behind = await openTestConsole({ url: 'https://console.example', bind: { host: '192.0.2.7', port: 3480 } })
    try {
      const url = await behind.link()
      const enter = (host: string) => statusOf(behind.ask({ method: 'POST', url, headers: { host } }))
      expect(await enter('192.0.2.7:3480')).toBe(421)
      expect(await enter('console.example:3480')).toBe(421)
      const hidden = { host: '127.0.0.1:3480', 'x-forwarded-for': '203.0.113.9' }
      expect(await statusOf(behind.ask({ method: 'POST', url, headers: hidden }))).toBe(421)
      expect(await enter('console.example')).toBe(200)
    } finally {
      await behind.remove()
    }
  })

  test('at localhost has the port in its name, because browsers send it to every port', async () => {
    const host = { host: 'localhost:3481' }
    const { headers } = await desk.ask({ method: 'POST', url: await desk.link(), headers: host })
    expect(String(headers['set-cookie'])).toMatch(/^grinpay-3481=/)
  })

  test.each([
    ['a made-up one', () => `grinpay-3480=${'A'.repeat(43)}`],
    ['none', () => 'other=1'],
    ['two', (own: string) => `${own}; grinpay-3480=${'A'.repeat(43)}`],
    ['that of another port', (own: string) => own.replace('3480', '3481')],
    ['a longer one', (own: string) => `${own}A`],
  ])('%s opens nothing', async (_name, cookieOf) => {
    const { cookie } = await desk.signIn()
    const headers = { cookie: cookieOf(cookie) }
    expect(await statusOf(desk.ask({ method: 'GET', url: '/console/sessions', headers }))).toBe(401)
  })

  test('stands in no database, log entry or page', async () => {
    const { cookie, get } = await desk.signIn()
    const value = cookie.split('=')[1] ?? ''
    const pages = await Promise.all(['/console/sessions', '/console/audit'].map(async (url) => (await get(url)).body))
    const rows = JSON.stringify([await desk.store.liveSessions(NOON), await desk.store.auditPage(50)])
    expect([rows, ...pages].filter((text) => text.includes(value))).toEqual([])
  })

  test('guessing is slow: 120 a minute from one address, and those who are signed in go on', async () => {
    const { get } = await desk.signIn()
    const guess = () =>
      statusOf(desk.ask({ method: 'GET', url: '/console/sessions', headers: { cookie: 'grinpay-3480=x' } }))
    const answers = await Promise.all(Array.from({ length: 121 }, guess))
    expect(answers.filter((status) => status === 401)).toHaveLength(120)
    expect(answers.at(-1)).toBe(429)
    expect(await statusOf(get('/console/sessions'))).toBe(200)
  })
})

describe('a session', () => {
  test('ends after twelve hours without a request, not before', async () => {
    const { get } = await desk.signIn()
    desk.time.now += 11 * HOUR
    expect(await statusOf(get('/console/sessions'))).toBe(200)
    desk.time.now += 11 * HOUR
    expect(await statusOf(get('/console/sessions'))).toBe(200)
    desk.time.now += 12 * HOUR
    const { statusCode, body } = await get('/console/sessions')
    expect(statusCode).toBe(401)
    expect(body).toContain('your session has ended')
  })

  test('ends after seven days, however much it is used', async () => {
    const { get } = await desk.signIn()
    for (let at = 0; at < 27; at++) {
      desk.time.now += 6 * HOUR
      expect(await statusOf(get('/console/sessions'))).toBe(200)
    }
    desk.time.now += 6 * HOUR
    expect(await statusOf(get('/console/sessions'))).toBe(401)
  })

  test('does not outlive a clock that was set ahead and back', async () => {
    const { get } = await desk.signIn()
    desk.time.now += 2 * HOUR
    expect(await statusOf(get('/console/sessions'))).toBe(200)
    desk.time.now -= DAY
    expect(await statusOf(get('/console/sessions'))).toBe(401)
  })

  test('is not hurt by a clock that is set a little', async () => {
    const { get } = await desk.signIn()
    desk.time.now -= 30 * SECOND
    expect(await statusOf(get('/console/sessions'))).toBe(200)
  })

  test('ended from the command line ends at its next request, also of a form', async () => {
    const browser = await desk.signIn()
    const [session] = await desk.store.liveSessions(NOON)
    await desk.store.endSession(session?.id ?? '', { at: NOON, by: 'command line' })
    expect(await statusOf(browser.get('/console/sessions'))).toBe(401)
    const { statusCode, body } = await browser.post(`/console/sessions/${session?.id}/end`)
    expect(statusCode).toBe(401)
    expect(body).toContain('Nothing was changed')
  })

  test('in two places is two sessions, each of which ends alone', async () => {
    const [here, there] = [await desk.signIn('operator', 'anna'), await desk.signIn('operator', 'anna')]
    const sessions = await desk.store.liveSessions(NOON)
    expect(sessions.map(({ name }) => name)).toEqual(['anna', 'anna'])
    const { hashOf } = await import('../../src/console/sign-in/tokens.js')
    const other = sessions.find(({ hash }) => hash === hashOf(there.cookie.split('=')[1] ?? ''))
    const answer = await here.submit('/console/sessions', `/console/sessions/${other?.id}/end`)
    expect(answer.statusCode).toBe(303)
    expect(await statusOf(there.get('/console/sessions'))).toBe(401)
    expect(await statusOf(here.get('/console/sessions'))).toBe(200)
  })

  test('of a browser ends when it signs in anew', async () => {
    const { cookie } = await desk.signIn('viewer')
    await desk.ask({ method: 'POST', url: await desk.link('operator'), headers: { cookie } })
    expect((await desk.store.liveSessions(NOON)).map(({ role }) => role)).toEqual(['operator'])
  })

  test('signs out by its own form only', async () => {
    const browser = await desk.signIn()
    expect(await statusOf(browser.post('/console/sign-out'))).toBe(403)
    expect(await statusOf(browser.get('/console/sign-out'))).toBe(405)
    const { statusCode, headers } = await browser.submit('/console/sessions', '/console/sign-out')
    expect(statusCode).toBe(200)
    expect(headers['set-cookie']).toMatch(/^grinpay-3480=; Max-Age=0; Path=\/console;/)
    expect(await statusOf(browser.get('/console/sessions'))).toBe(401)
    expect((await desk.store.auditPage(1)).items).toMatchObject([{ action: 'session.leave', outcome: 'done' }])
  })

  test('shows from where it was used last', async () => {
    const { get, cookie } = await desk.signIn()
    desk.time.now += HOUR
    const headers = { cookie, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0 <b>' }
    await desk.ask({ method: 'GET', url: '/console/sessions', headers })
    const { body } = await get('/console/sessions')
    expect(body).toContain('Firefox, Linux')
    expect(body).not.toContain('<b>')
    expect(body).toContain('1 hour ago')
  })
})

describe('what is stored', () => {
  test('no session without its entry in the audit log: where that cannot be written, the link stays good', async () => {
    const { openSqlite } = await import('../../src/storage/sqlite/sqlite.js')
    const other = openSqlite(desk.path, 'durable')
    other.script("CREATE TRIGGER full BEFORE INSERT ON audit_end BEGIN SELECT RAISE(ABORT, 'full'); END")
    const url = await desk.link()
    expect(await statusOf(desk.ask({ method: 'POST', url }))).toBeGreaterThanOrEqual(500)
    expect(await desk.store.liveSessions(NOON)).toEqual([])
    other.script('DROP TRIGGER full')
    other.close()
    expect(await statusOf(desk.ask({ method: 'POST', url }))).toBe(200)
    expect((await desk.store.auditPage(1)).items).toMatchObject([{ action: 'session.enter', outcome: 'done' }])
  })

  test('a full disk keeps nobody from reading: the last use is not written then', async () => {
    const { cookie } = await desk.signIn()
    desk.time.now += HOUR
    const full = async () => {
      throw databaseWriteFailed('full')
    }
    const store = { ...desk.store, touchSession: full }
    const signIn = createSignIn({ store, clock: { now: () => desk.time.now }, random: systemRandom })
    const { session } = await signIn.require(cookie.split('=')[1], { address: '', browser: '' })
    expect(session.role).toBe('operator')
  })

  test('links and sessions go after thirty days, as new ones come', async () => {
    const clock = { now: () => desk.time.now }
    const make = () => newLink({ name: 'x', role: 'viewer' }, { clock, random: systemRandom }).link
    const old = make()
    await desk.store.addLink(old)
    const opened = { id: '0123456789ab', hash: 'c'.repeat(64), now: NOON, address: '', browser: '' }
    await desk.store.spendLink(old.hash, opened)
    desk.time.now += 31 * DAY
    expect(await desk.store.findSession(opened.hash)).toBeDefined()
    await desk.store.addLink(make())
    expect(await desk.store.findLink(old.hash)).toBeUndefined()
    expect(await desk.store.findSession(opened.hash)).toBeUndefined()
  })

  test('an entry of the audit log stands from before the change, and is never changed', async () => {
    const entry = {
      at: 1,
      person: 'p',
      role: null,
      session: null,
      action: 'a',
      object: 'o',
      values: { k: 'v' },
    } as const
    const id = await desk.store.beginAudit(entry)
    expect((await desk.store.auditPage(1)).items).toEqual([{ id, ...entry, outcome: null, endedAt: null }])
    await desk.store.endAudit(id, { at: 2, outcome: 'done' })
    await desk.store.endAudit(id, { at: 3, outcome: 'other' })
    expect((await desk.store.auditPage(1)).items).toMatchObject([{ outcome: 'done', endedAt: 2 }])
  })

  test('the audit log is read page by page, newest first', async () => {
    const ids: number[] = []
    for (let at = 1; at <= 5; at++)
      ids.push(
        await desk.store.beginAudit({
          at,
          person: 'p',
          role: 'operator',
          session: 's',
          action: 'a',
          object: '',
          values: {},
        }),
      )
    const first = await desk.store.auditPage(3)
    const second = await desk.store.auditPage(3, first.next ?? undefined)
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids.toReversed())
    expect(second.next).toBeNull()
    await expect(desk.store.auditPage(3, 'x')).rejects.toMatchObject({ code: 'BAD_CURSOR' })
  })
})

test('a role sees in the list of sessions and in the audit log what operators may only', async () => {
  for (const role of ['viewer', 'cashier'] as const) {
    const { get } = await desk.signIn(role)
    expect(await statusOf(get('/console/sessions'))).toBe(403)
    expect(await statusOf(get('/console/audit'))).toBe(403)
  }
})
