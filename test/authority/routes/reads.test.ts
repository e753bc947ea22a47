// NIP-05, availability, and who holds what (specification: names, 6 and 7).
import { beforeAll, describe, expect, test } from 'vitest'
import type { PublicLookups } from '../../../src/authority/index.js'
import { nameApp } from '../../support/name-app.js'
import { keyPairOf } from '../../support/nostr.js'

const ada = keyPairOf('ada')
const KEY = ada.pubkey
const NO_NAMES = '{"names":{},"relays":{}}'

let authority: Awaited<ReturnType<typeof nameApp>>
beforeAll(async () => {
  authority = await nameApp()
  await authority.claim(ada, 'ada.b')
  await authority.claim(keyPairOf('eve'), 'eve')
  await authority.ask(keyPairOf('eve'), 'DELETE', '/api/v1/register/eve')
})

const bodyOf = async (url: string) => {
  const { statusCode, body } = await authority.get(url)
  return [statusCode, body]
}

describe('the NIP-05 document', () => {
  const FOUND = `{"names":{"ada.b":"${KEY}"},"relays":{"${KEY}":["wss://relay.acme.example"]}}`

  test.each(['name=ada.b', 'name=%61da.b', 'name=ada%2Eb', 'x=1&name=ada.b&y=2', 'n%61me=ada.b'])(
    'of ?%s leads to the key and its relays',
    async (query) => expect(await bodyOf(`/.well-known/nostr.json?${query}`)).toEqual([200, FOUND]),
  )

  test.each([
    ['ADA.B', 'ADA.B'],
    ['Ada.b', 'Ada.b'],
    ['%41da%2Eb', 'Ada.b'],
  ])('of ?name=%s leads to the key under the spelling that was asked for, too', async (typed, asked) => {
    const [status, body] = await bodyOf(`/.well-known/nostr.json?name=${typed}`)
    expect([status, JSON.parse(String(body))]).toEqual([
      200,
      { names: { 'ada.b': KEY, [asked]: KEY }, relays: { [KEY]: ['wss://relay.acme.example'] } },
    ])
  })

  test.each([
    '',
    '?',
    '?name',
    '?name=',
    '?name=nobody',
    '?name=eve',
    '?name=_',
    '?name=ada',
    '?name=ada+b',
    '?name=ada.b+',
    '?name=ada%00b',
    '?name=%zz',
    '?name=%ff%fe',
    '?name=ada.b%2F',
    '?name=__proto__',
    '?name=constructor',
    '?name=toString',
    '?name=hasOwnProperty',
    '?name=__defineGetter__',
    `?name=${'a'.repeat(5000)}`,
    '?Name=ada.b',
    '?name%5B%5D=ada.b',
  ])('of %j has two empty maps', async (query) => {
    expect(await bodyOf(`/.well-known/nostr.json${query}`)).toEqual([200, NO_NAMES])
  })

  test.each(['name=ada.b&name=eve', 'name=ada.b&name=ada.b', 'name=&name=ada.b', 'name=ada.b&n%61me=ada.b'])(
    'of ?%s is refused: readers could differ',
    async (query) => {
      const answer = await authority.get(`/.well-known/nostr.json?${query}`)
      expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid request'])
    },
  )

  test('that could not be had newer says how old it is, also when there is no such name', async () => {
    const lookups: PublicLookups = {
      async keyOfName(name, aged) {
        if (name !== 'fresh') aged?.(61_001)
        return name === 'nobody' ? undefined : KEY
      },
      nameOfKey: async () => undefined,
    }
    const stale = await nameApp({ parts: { lookups } })
    const ageOf = async (url: string) => (await stale.get(url)).headers.age
    expect(await ageOf('/.well-known/nostr.json?name=ada.b')).toBe('62')
    expect(await ageOf('/.well-known/nostr.json?name=fresh')).toBeUndefined()
    expect(await ageOf('/api/v1/profile/ada.b')).toBe('62')
    expect((await stale.get('/api/v1/profile/nobody')).statusCode).toBe(404)
    expect(await ageOf('/api/v1/profile/nobody')).toBe('62')
  })

  test('is JSON that anybody may read and no cache keeps', async () => {
    expect((await authority.get('/.well-known/nostr.json?name=ada.b')).headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
      'cache-control': 'no-store',
    })
  })
})

describe('availability', () => {
  test.each([
    ['nova', 'nova', 'free'],
    ['NOVA', 'nova', 'free'],
    ['n%6Fva', 'nova', 'free'],
    ['%E2%84%AAite', 'kite', 'free'],
    ['eve', 'eve', 'free'],
    ['ada.b', 'ada.b', 'taken'],
    ['4da-b', '4da-b', 'taken'],
    ['admin', 'admin', 'reserved'],
    ['4dm1n', '4dm1n', 'reserved'],
    ['acme', 'acme', 'reserved'],
    ['ab', 'ab', 'invalid'],
    ['a%2Fb', 'a/b', 'invalid'],
    ['%2561da', '%61da', 'invalid'],
    ['a%252Fb', 'a%2fb', 'invalid'],
    ['..%2F..', '../..', 'invalid'],
    ['a+b', 'a+b', 'invalid'],
    ['%00%00%00', '\0\0\0', 'invalid'],
    ['%22%3Cscript%3E', '"<script>', 'invalid'],
    ['__proto__', '__proto__', 'invalid'],
  ])('of %s answers for %j: %s', async (path, name, state) => {
    const free = state === 'free'
    expect(await bodyOf(`/api/v1/name/${path}`)).toEqual([
      200,
      JSON.stringify({ name, available: free, ...(!free && { reason: state }), state }),
    ])
  })

  test('does not look at the query', async () => {
    expect((await authority.get('/api/v1/name/nova?name=admin&name=x')).json()).toMatchObject({ name: 'nova' })
  })
})

describe('holders', () => {
  const HOLDER = `{"name":"ada.b","pubkey":"${KEY}"}`

  test.each(['/api/v1/profile/ada.b', '/api/v1/profile/Ada.B', '/api/v1/profile/%61da.b'])('%s', async (url) => {
    expect(await bodyOf(url)).toEqual([200, HOLDER])
  })
  test.each([KEY, KEY.toUpperCase()])('by key %s', async (key) => {
    expect(await bodyOf(`/api/v1/by-pubkey/${key}`)).toEqual([200, HOLDER])
  })
  test.each([
    '/api/v1/profile/eve',
    '/api/v1/profile/nobody',
    '/api/v1/profile/x',
    '/api/v1/profile/__proto__',
    `/api/v1/by-pubkey/${'0'.repeat(64)}`,
    `/api/v1/by-pubkey/${KEY.slice(1)}`,
    `/api/v1/by-pubkey/${KEY}0`,
    `/api/v1/by-pubkey/${KEY.slice(0, 63)}g`,
    '/api/v1/by-pubkey/npub1yt99qwgwvc8kqypkm46s9wuh80wdzp94mju09e6darkuds5jkqaqpa6hrt',
  ])('%s is not found', async (url) => {
    expect(await bodyOf(url)).toEqual([404, expect.stringContaining('"error":"not found"')])
  })
})
