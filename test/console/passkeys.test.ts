// Passkeys: made once per invitation, and what signs in with one, or does not.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newLink } from '../../src/console/index.js'
import { systemRandom } from '../../src/system/index.js'
import { createAuthenticator } from '../support/authenticator.js'
import { cookieIn, openTestConsole } from '../support/console-app.js'
import { NOON } from '../support/till-builders.js'

const PARTY = { origin: 'http://localhost:3480', rpID: 'localhost' }
const DAY = 86_400_000

let desk: Awaited<ReturnType<typeof openTestConsole>>
beforeEach(async () => {
  desk = await openTestConsole()
})
afterEach(() => desk.remove())

type Fields = Readonly<Record<string, string>>

const post = (path: string, fields: Fields, headers: Fields = {}) =>
  desk.ask({
    method: 'POST',
    url: `/console/passkey/${path}`,
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })

async function invite(name = 'anna', role: 'viewer' | 'cashier' = 'cashier'): Promise<string> {
  const clock = { now: () => desk.time.now }
  const { token, link } = newLink({ name, role, purpose: 'passkey' }, { clock, random: systemRandom })
  await desk.store.addLink(link)
  return token
}

const challengeOf = async (fields: Fields = {}): Promise<string> => (await post('options', fields)).json().challenge

async function registered(name = 'anna', authenticator = createAuthenticator()) {
  const link = await invite(name)
  const challenge = await challengeOf({ link })
  const answer = await post('register', { link, answer: authenticator.register({ ...PARTY, challenge }) })
  return { authenticator, answer, link }
}

const signIn = async (authenticator: ReturnType<typeof createAuthenticator>, changed: Partial<typeof PARTY> = {}) =>
  post('sign-in', { answer: authenticator.signIn({ ...PARTY, ...changed, challenge: await challengeOf() }) })

const pageOf = async (answer: Parameters<typeof cookieIn>[0], url: string): Promise<number> =>
  (await desk.ask({ method: 'GET', url, headers: { cookie: cookieIn(answer) } })).statusCode

describe('an invitation', () => {
  test('shows a page that makes a passkey, and signs nobody in by itself', async () => {
    const url = `/console/enter/${await invite()}`
    const { body, headers } = await desk.ask({ method: 'GET', url })
    expect(body).toContain('Welcome, anna')
    expect(body).toContain('<noscript>')
    expect(headers['content-security-policy']).toContain("script-src 'self'; connect-src 'self'")
    expect((await desk.ask({ method: 'POST', url })).statusCode).toBe(410)
    expect(await desk.store.liveSessions(NOON)).toEqual([])
  })

  test('becomes a passkey, a person and a session of the role', async () => {
    const { answer } = await registered()
    expect(answer.json()).toEqual({ to: '/console/' })
    expect(await desk.store.liveSessions(NOON)).toMatchObject([{ name: 'anna', role: 'cashier' }])
    expect(await desk.store.people()).toMatchObject([{ name: 'anna', role: 'cashier', passkeys: 1, usedAt: null }])
    expect(await pageOf(answer, '/console/sessions')).toBe(403)
    expect((await desk.store.auditPage(1)).items).toMatchObject([{ person: 'anna', action: 'passkey.create' }])
  })

  test('with another role ends the sessions of the old one', async () => {
    const { answer } = await registered('anna')
    const link = await invite('anna', 'viewer')
    const challenge = await challengeOf({ link })
    const again = await post('register', { link, answer: createAuthenticator().register({ ...PARTY, challenge }) })
    expect([await pageOf(answer, '/console/'), await pageOf(again, '/console/')]).toEqual([401, 403])
    expect(await desk.store.liveSessions(NOON)).toMatchObject([{ name: 'anna', role: 'viewer' }])
  })

  test('works once, and for a day', async () => {
    const { link } = await registered()
    const again = await post('options', { link })
    expect([again.statusCode, again.json().code]).toEqual([410, 'CONSOLE_LINK_UNUSABLE'])
    const late = await invite('ben')
    desk.time.now += DAY
    expect((await post('options', { link: late })).statusCode).toBe(410)
  })

  test('is no sign-in link, and a sign-in link makes no passkey', async () => {
    const url = await desk.link('operator')
    const link = url.split('/').at(-1) ?? ''
    expect((await post('options', { link })).statusCode).toBe(410)
    const challenge = await challengeOf({ link: await invite() })
    const answer = createAuthenticator().register({ ...PARTY, challenge })
    expect((await post('register', { link, answer })).statusCode).toBe(410)
    expect(await desk.store.people()).toEqual([])
  })
})

describe('a passkey', () => {
  test('signs in, again and again', async () => {
    const { authenticator } = await registered()
    for (let at = 0; at < 2; at++) {
      const answer = await signIn(authenticator)
      expect(answer.json()).toEqual({ to: '/console/' })
      expect(answer.headers['set-cookie']).toContain('HttpOnly; SameSite=Strict')
    }
    expect(await desk.store.people()).toMatchObject([{ usedAt: NOON }])
  })

  test('that nobody registered is refused', async () => {
    await registered()
    const answer = await signIn(createAuthenticator())
    expect([answer.statusCode, answer.json().code, answer.headers['set-cookie']]).toEqual([
      403,
      'CONSOLE_PASSKEY',
      undefined,
    ])
  })

  test('of another origin, another site or a person who was not asked is refused', async () => {
    const { authenticator } = await registered()
    expect((await signIn(authenticator, { origin: 'http://localhost:9999' })).statusCode).toBe(403)
    expect((await signIn(authenticator, { rpID: 'evil.example' })).statusCode).toBe(403)
    const unasked = createAuthenticator({ verifies: false })
    expect((await registered('ben', unasked)).answer.statusCode).toBe(403)
  })

  test('asked for by a page at another port of localhost is refused, though the request names that port', async () => {
    await desk.remove()
    desk = await openTestConsole({ bind: { host: '127.0.0.1', port: 3480 } })
    const { authenticator } = await registered()
    const challenge = await challengeOf()
    const answer = authenticator.signIn({ ...PARTY, origin: 'http://localhost:9999', challenge })
    const relayed = await post('sign-in', { answer }, { host: 'localhost:9999' })
    expect([relayed.statusCode, relayed.headers['set-cookie']]).toEqual([400, undefined])
    expect((await signIn(authenticator)).statusCode).toBe(200)
  })

  test('answers a challenge once, and only one of ours for signing in', async () => {
    const { authenticator } = await registered()
    const answer = authenticator.signIn({ ...PARTY, challenge: await challengeOf() })
    expect((await post('sign-in', { answer })).statusCode).toBe(200)
    expect((await post('sign-in', { answer })).statusCode).toBe(403)
    const strange = Buffer.alloc(32).toString('base64url')
    expect((await post('sign-in', { answer: authenticator.signIn({ ...PARTY, challenge: strange }) })).statusCode).toBe(
      403,
    )
    const other = await challengeOf({ link: await invite('ben') })
    expect((await post('sign-in', { answer: authenticator.signIn({ ...PARTY, challenge: other }) })).statusCode).toBe(
      403,
    )
  })

  test('answers within five minutes', async () => {
    const { authenticator } = await registered()
    const challenge = await challengeOf()
    desk.time.now += 5 * 60_000
    expect((await post('sign-in', { answer: authenticator.signIn({ ...PARTY, challenge }) })).statusCode).toBe(403)
  })

  test('that was copied is refused: its counter does not grow', async () => {
    const { authenticator } = await registered()
    authenticator.setCounter(7)
    expect((await signIn(authenticator)).statusCode).toBe(200)
    authenticator.setCounter(7)
    expect((await signIn(authenticator)).statusCode).toBe(403)
  })

  test('is registered once', async () => {
    const { authenticator } = await registered()
    expect((await registered('ben', authenticator)).answer.statusCode).toBe(403)
    expect((await desk.store.people()).map(({ name }) => name)).toEqual(['anna'])
  })

  test('of a removed person no longer signs in, and the sessions end', async () => {
    const { authenticator, answer } = await registered()
    expect(await desk.store.removePerson('anna', { at: NOON, by: 'command line' })).toBe(true)
    expect((await signIn(authenticator)).statusCode).toBe(403)
    expect(await pageOf(answer, '/console/')).toBe(401)
    expect(await desk.store.removePerson('anna', { at: NOON, by: 'command line' })).toBe(false)
  })

  test.each(['', '{}', 'null', '{"id":7}', `{"id":"${'A'.repeat(3000)}","response":{}}`, 'x'.repeat(20_000)])(
    'that is none (%#) is refused without a fault',
    async (answer) => {
      expect((await post('sign-in', { answer })).statusCode).toBe(403)
      expect((await post('register', { link: await invite(), answer })).statusCode).toBe(403)
    },
  )
})

test('passkeys are for localhost and the https address; elsewhere the page says so', async () => {
  const host = { host: '127.0.0.1:3480' }
  expect((await post('options', {}, host)).json().code).toBe('CONSOLE_PASSKEY_ADDRESS')
  expect((await desk.ask({ method: 'GET', url: '/console/sign-in', headers: host })).body).toContain(
    'not at this address',
  )
  const { body } = await desk.ask({ method: 'GET', url: '/console/sign-in' })
  expect(body).toContain('Sign in with a passkey')
})

test('whoever is not signed in is led to the sign-in', async () => {
  expect((await desk.ask({ method: 'GET', url: '/console/' })).body).toContain('href="/console/sign-in"')
})

test('attempts are counted: twenty a minute from one address', async () => {
  const tries = await Promise.all(Array.from({ length: 21 }, () => post('sign-in', { answer: '{}' })))
  expect(tries.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
})

test('an operator removes a person in two steps', async () => {
  await registered()
  const operator = await desk.signIn()
  const asked = await operator.submit('/console/people', '/console/people/remove')
  expect(asked.body).toContain('Remove anna?')
  expect(await desk.store.people()).toHaveLength(1)
  const { formFields } = await import('../support/console-app.js')
  const done = await operator.post('/console/people/remove', formFields(asked.body, '/console/people/remove'))
  expect(done.statusCode).toBe(303)
  expect(await desk.store.people()).toEqual([])
})
