// Requests signed by a key (NIP-98). Vectors: test/vectors/names/nip98.json.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8 } from '../../src/lib/bytes.js'
import { signEvent } from '../../src/nostr/event/index.js'
import { checkHttpAuth, httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'
import { vectors } from '../support/vectors.js'

const { base_url: base, auth_max_age_secs: maxAge, cases } = vectors('names/nip98.json')

interface Vector {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly now: number
  readonly authorization: string | null
  readonly expect: { readonly ok: boolean; readonly pubkey?: string; readonly id?: string; readonly error?: string }
}

test.each<Vector>(cases)('$name', ({ method, path, body, now, authorization, expect: expected }) => {
  const authorized = authorization ?? undefined
  const answer = checkHttpAuth({ authorization: authorized, method, url: base + path, body: utf8(body), now, maxAge })
  const { pubkey, id, error } = expected
  expect(answer).toMatchObject(expected.ok ? { pubkey, id } : { refusal: error })
})

const NOW = 1_800_000_000
const URL_OF_IT = `${base}/api/v1/register`
const ada = keyPairOf('ada')
const random = seededRandom('http auth')

const check = (authorization: string | undefined, changes = {}) =>
  checkHttpAuth({ authorization, method: 'POST', url: URL_OF_IT, body: utf8('{}'), now: NOW, maxAge, ...changes })

const header = (changes = {}) =>
  httpAuthHeader({
    url: URL_OF_IT,
    method: 'POST',
    body: utf8('{}'),
    secret: ada.secret,
    now: NOW * 1000,
    random,
    ...changes,
  })

const headerAround = (event: object): string => `Nostr ${Buffer.from(JSON.stringify(event)).toString('base64')}`
const eventIn = (text: string) => JSON.parse(Buffer.from(text.slice(6), 'base64').toString())

test('what we sign is accepted, with and without a body', () => {
  expect(check(header())).toMatchObject({ pubkey: ada.pubkey, createdAt: NOW })
  const bare = httpAuthHeader({ url: URL_OF_IT, method: 'DELETE', secret: ada.secret, now: NOW * 1000, random })
  expect(check(bare, { method: 'DELETE', body: new Uint8Array() })).toMatchObject({ pubkey: ada.pubkey })
  expect(eventIn(bare).tags).toEqual([
    ['u', URL_OF_IT],
    ['method', 'DELETE'],
  ])
})

test('the last tag of a name counts, also for method and payload', () => {
  expect(check(header({ extraTags: [['method', 'GET']] }))).toEqual({ refusal: 'auth event method mismatch' })
  expect(check(header({ extraTags: [['payload', '00']] }))).toEqual({ refusal: 'auth event payload hash mismatch' })
  expect(check(header({ extraTags: [['payload']] }))).toEqual({ refusal: 'auth event missing payload hash' })
  expect(check(header({ method: 'GET', extraTags: [['method', 'POST']] }))).toMatchObject({ pubkey: ada.pubkey })
})

test('only ASCII letters have two cases', () => {
  expect(check(header({ method: 'po\u017ft' }))).toEqual({ refusal: 'auth event method mismatch' })
})

test('a header that is not visible ASCII counts as missing', () => {
  expect(check('Nostr é')).toEqual({ refusal: 'missing Authorization header' })
  expect(check('')).toEqual({ refusal: 'Authorization scheme must be Nostr' })
})

test('base64 has one spelling: no url alphabet, no stray bits, nothing in between', () => {
  const refusal = { refusal: 'invalid base64 auth event' }
  for (const token of ['eyJh-_==', 'eyJ=', 'ey J9', 'e30=e30=', 'e31='])
    expect(check(`Nostr ${token}`)).toEqual(refusal)
  expect(check('Nostr ')).toEqual({ refusal: 'invalid auth event json' })
})

test('an event is an event: empty tags, bytes that are no text, values out of range', () => {
  const event = eventIn(header())
  const refusal = { refusal: 'invalid auth event json' }
  const empty = signEvent({ kind: 27235, created_at: NOW, tags: [[]], content: '' }, ada.secret, random)
  expect(check(headerAround(empty))).toEqual(refusal)
  for (const change of [
    { kind: 65536 },
    { kind: '27235' },
    { created_at: -1 },
    { created_at: NOW + 0.5 },
    { id: 'ab' },
  ])
    expect(check(headerAround({ ...event, ...change }))).toEqual(refusal)
  const bytes = Buffer.from(JSON.stringify(event)).toString('latin1').replace('"content":""', '"content":"\xff"')
  expect(check(`Nostr ${Buffer.from(bytes, 'latin1').toString('base64')}`)).toEqual(refusal)
})

test('an address that is all slashes costs no time', () => {
  const slashes = `${URL_OF_IT}${'/'.repeat(60_000)}x${'/'.repeat(60_000)}`
  expect(check(header({ url: slashes }))).toEqual({ refusal: 'auth event url mismatch' })
})

test('no header at all makes it throw', () => {
  const token = fc.oneof(
    fc.string(),
    fc.json().map((text) => `Nostr ${Buffer.from(text).toString('base64')}`),
  )
  fc.assert(fc.property(token, (text) => 'refusal' in check(text)))
})

test('a change of any character of the event takes its force away', () => {
  const good = JSON.stringify(eventIn(header()))
  const changed = fc.tuple(fc.nat(good.length - 1), fc.constantFrom(...'0aZ"}')).map(([at, sign]) => ({
    text: good.slice(0, at) + sign + good.slice(at + 1),
  }))
  const property = fc.property(changed, ({ text }) => {
    fc.pre(text !== good)
    return 'refusal' in check(`Nostr ${Buffer.from(text).toString('base64')}`)
  })
  fc.assert(property, { numRuns: 200 })
})
