// Claiming and giving up, and the proof of who asks (specification: names, 5 and 6).
import { describe, expect, test } from 'vitest'
import { nameApp } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'
import { vectors } from '../../support/vectors.js'

const ada = keyPairOf('ada')
const bob = keyPairOf('bob')
const REGISTER = '/api/v1/register'
const { cases, base_url: base } = vectors('names/nip98.json')

interface Vector {
  readonly name: string
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly body: string
  readonly now: number
  readonly authorization: string | null
  readonly expect: { readonly ok: boolean; readonly pubkey?: string; readonly error?: string }
}

test.each<Vector>(cases)('signed request: $name', async (vector) => {
  const { app, clock } = await nameApp({ settings: { baseUrl: base } })
  clock.at = vector.now * 1000
  const { statusCode, body } = await app.inject({
    method: vector.method,
    url: vector.path,
    ...(vector.body !== '' && { payload: vector.body }),
    headers: { ...(vector.authorization !== null && { authorization: vector.authorization }) },
  })
  const { error, status } = JSON.parse(body)
  if (vector.expect.error !== undefined) expect([statusCode, error]).toEqual([401, vector.expect.error])
  else expect(expectedAnswers(vector)).toContainEqual([statusCode, error ?? status])
})

/** What the route says once the proof is accepted: to the key of the body, to another key, to one without the name. */
const expectedAnswers = ({ method, name }: Vector) => {
  if (method === 'DELETE') return [[404, 'name not found']]
  if (name === 'signed by another key') return [[401, 'auth pubkey does not match body pubkey']]
  return [[201, undefined]]
}

describe('a claim', () => {
  test('is answered with the name and its address', async () => {
    const { claim } = await nameApp()
    const first = await claim(ada, 'Nova')
    expect([first.statusCode, first.body]).toEqual([201, '{"name":"nova","nip05":"nova@names.acme.example"}'])
    const again = await claim(ada, 'nova')
    expect([again.statusCode, again.body]).toEqual([200, first.body])
  })

  test('of a second name gives up the first', async () => {
    const { claim, get } = await nameApp({ settings: { cooldownSeconds: 0 } })
    await claim(ada, 'nova')
    expect((await claim(ada, 'kite')).statusCode).toBe(201)
    expect((await get('/api/v1/profile/nova')).statusCode).toBe(404)
  })

  test('during the cooldown says how long to wait', async () => {
    const { claim, ask, clock } = await nameApp()
    await claim(ada, 'nova')
    await ask(ada, 'DELETE', `${REGISTER}/nova`)
    clock.at += 100_000
    const answer = await claim(ada, 'kite')
    expect([answer.statusCode, answer.json().error, answer.headers['retry-after']]).toEqual([
      429,
      'name_change_cooldown',
      '500',
    ])
  })

  test.each([
    ['no JSON', '{"name":', 400, 'invalid body'],
    ['an array', '[]', 400, 'invalid body'],
    ['nothing', '', 400, 'invalid body'],
    ['no name', { pubkey: ada.pubkey }, 400, 'invalid body'],
    ['a name that is none', { name: 7, pubkey: ada.pubkey }, 400, 'invalid body'],
    ['a broken key', { name: 'nova', pubkey: 'abc' }, 400, 'invalid pubkey'],
    ['the key of another', { name: 'nova', pubkey: bob.pubkey }, 401, 'auth pubkey does not match body pubkey'],
    ['a short name', { name: 'ab', pubkey: ada.pubkey }, 400, 'invalid name'],
    ['a reserved name', { name: 'admin', pubkey: ada.pubkey }, 403, 'name reserved'],
  ])('with %s is refused', async (_, body, status, error) => {
    const { ask } = await nameApp()
    const answer = await ask(ada, 'POST', REGISTER, body)
    expect([answer.statusCode, answer.json().error]).toEqual([status, error])
  })

  test('of a taken name is refused', async () => {
    const { claim } = await nameApp()
    await claim(ada, 'nova')
    const answer = await claim(bob, 'n0va')
    expect([answer.statusCode, answer.json().error]).toEqual([409, 'name taken'])
  })

  test('ignores its query, and proves its path without one', async () => {
    const { app, sign } = await nameApp()
    const payload = JSON.stringify({ name: 'nova', pubkey: ada.pubkey })
    const authorization = sign(ada, 'POST', REGISTER, payload)
    const answer = await app.inject({
      method: 'POST',
      url: `${REGISTER}?a=1&a=2`,
      payload,
      headers: { authorization, host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    expect(answer.statusCode).toBe(201)
  })

  test('is proven by the bytes of its body, not by what they mean', async () => {
    const { app, sign } = await nameApp()
    const signed = JSON.stringify({ name: 'nova', pubkey: ada.pubkey })
    const authorization = sign(ada, 'POST', REGISTER, signed)
    const answer = await app.inject({
      method: 'POST',
      url: REGISTER,
      payload: `${signed} `,
      headers: { authorization },
    })
    expect([answer.statusCode, answer.json().error]).toEqual([401, 'auth event payload hash mismatch'])
  })

  test('counts once', async () => {
    const { app, sign } = await nameApp()
    const payload = 'not JSON'
    const authorization = sign(ada, 'POST', REGISTER, payload)
    const send = () => app.inject({ method: 'POST', url: REGISTER, payload, headers: { authorization } })
    expect((await send()).json().error).toBe('invalid body')
    expect((await send()).json().error).toBe('auth event replayed')
  })
})

describe('a release', () => {
  test('has the words that wallets look for', async () => {
    const { claim, ask } = await nameApp()
    await claim(ada, 'nova')
    const answer = await ask(ada, 'DELETE', `${REGISTER}/nova`)
    expect([answer.statusCode, answer.body]).toEqual([200, '{"name":"nova","released":true}'])
  })

  test.each(['NOVA', 'n%6Fva', 'No%76A'])('of %s is signed for the name as it is meant', async (written) => {
    const { claim, app, sign } = await nameApp()
    await claim(ada, 'nova')
    const authorization = sign(ada, 'DELETE', `${REGISTER}/nova`)
    const send = (url: string) => app.inject({ method: 'DELETE', url, headers: { authorization }, payload: 'ignored' })
    expect((await send(`${REGISTER}/${written}?really=1`)).statusCode).toBe(200)
  })

  test.each([
    ['nobody', 404, 'name not found'],
    ['%C3%A9%2F%22', 404, 'name not found'],
    ['eve', 403, 'not the owner'],
  ])('of %s is refused', async (name, status, error) => {
    const { claim, app, sign } = await nameApp()
    await claim(bob, 'eve')
    const authorization = sign(ada, 'DELETE', `${REGISTER}/${decodeURIComponent(name)}`)
    const answer = await app.inject({ method: 'DELETE', url: `${REGISTER}/${name}`, headers: { authorization } })
    expect([answer.statusCode, answer.json().error]).toEqual([status, error])
  })
})
