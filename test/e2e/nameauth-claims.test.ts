// The name authority from outside, 2: claiming, giving up, and who proves what (specification: names, 3, 5, 6).
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import {
  authorizationOf,
  BASE,
  DOMAIN,
  type KeyPair,
  nameFolder,
  REGISTER,
  type RunningAuthority,
  startAuthority,
} from '../support/name-clients.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'
import { type PackedCli, packCli } from '../support/packed-cli.js'

let cli: PackedCli
let names: RunningAuthority
const folder = nameFolder()
const random = seededRandom('claims')

beforeAll(async () => {
  cli = await packCli()
  names = await startAuthority(cli.entry, folder.path)
})
afterAll(async () => {
  await names?.stop()
  cli?.remove()
  folder.remove()
})

let people = 0
/** A key without any claim. */
const stranger = (): KeyPair => keyPairOf(`stranger ${people++}`)
/** Free, and like no other name. */
const freshName = (): string =>
  `fresh${[...String(people++)].map((digit) => 'qwrtypdfhjk'.charAt(Number(digit))).join('')}`

const seen = ({ status, json }: { status: number; json: { error?: string } }) => [status, json?.error]
const bodyFor = (who: KeyPair, name: string) => JSON.stringify({ name, pubkey: who.pubkey })
const holderOf = async (name: string) => (await names.get(`/api/v1/profile/${name}`)).json.pubkey
const nameOf = async (who: KeyPair) => (await names.get(`/api/v1/by-pubkey/${who.pubkey}`)).json.name

describe('a claim', () => {
  test('is 201, then 200 as often as it is repeated', async () => {
    const who = stranger()
    const first = await names.claim(who, 'Daisy')
    expect([first.status, first.json]).toEqual([201, { name: 'daisy', nip05: `daisy@${DOMAIN}` }])
    for (const again of ['daisy', 'DAISY']) expect((await names.claim(who, again)).status).toBe(200)
    expect(await holderOf('daisy')).toBe(who.pubkey)
  })

  test('shows in every reading at once', async () => {
    const [who, name] = [stranger(), freshName()]
    await names.claim(who, name)
    expect((await names.get(`/.well-known/nostr.json?name=${name}`)).json.names).toEqual({ [name]: who.pubkey })
    expect((await names.get(`/api/v1/name/${name}`)).json).toMatchObject({ available: false, reason: 'taken' })
    expect(await nameOf(who)).toBe(name)
  })

  test('of a second name gives up the first, and then there is a cooldown', async () => {
    const [who, first, second] = [stranger(), freshName(), freshName()]
    await names.claim(who, first)
    expect((await names.claim(who, second)).status).toBe(201)
    expect([await holderOf(first), await nameOf(who)]).toEqual([undefined, second])
    const third = await names.claim(who, freshName())
    expect(seen(third)).toEqual([429, 'name_change_cooldown'])
    expect(Number(third.headers['retry-after'])).toBeGreaterThan(590)
    expect((await names.claim(who, second)).status).toBe(200)
    expect((await names.claim(stranger(), first)).status).toBe(201)
  })

  test('takes unknown members', async () => {
    const who = stranger()
    const body = JSON.stringify({ extra: [1], name: freshName(), pubkey: who.pubkey.toUpperCase() })
    expect((await names.claim(who, '', { body })).status).toBe(201)
  })

  test.each([
    ['cut off', '{"name":"nova"'],
    ['no JSON', 'hello'],
    ['bytes', Buffer.from([0xff, 0xfe, 0x00])],
    ['an array', '[]'],
    ['a string', '"nova"'],
    ['null', 'null'],
    ['nothing', ''],
    ['without members', '{}'],
    ['a number for a name', '{"name":7,"pubkey":"x"}'],
    ['a key that is no text', '{"name":"nova","pubkey":[]}'],
    ['gzip', Buffer.from([0x1f, 0x8b, 0x08, 0x00])],
    ['nested', `{"name":${'['.repeat(5000)}`],
  ])('that hashes right and is %s is 400', async (_, body) => {
    expect(seen(await names.claim(stranger(), '', { body }))).toEqual([400, 'invalid body'])
  })

  test.each(['', 'abc', 'z'.repeat(64), 'npub1x', 'a'.repeat(63), 'a'.repeat(65)])(
    'for the key %j is 400',
    async (pubkey) => {
      const body = JSON.stringify({ name: freshName(), pubkey })
      expect(seen(await names.claim(stranger(), '', { body }))).toEqual([400, 'invalid pubkey'])
    },
  )

  test('for another key is 401', async () => {
    const body = bodyFor(stranger(), freshName())
    expect(seen(await names.claim(stranger(), '', { body }))).toEqual([401, 'auth pubkey does not match body pubkey'])
  })

  test('is refused in the order of the rules', async () => {
    const [who, other] = [stranger(), stranger()]
    const order: readonly [string, string][] = [
      ['{', 'invalid body'],
      [JSON.stringify({ name: '!', pubkey: 'x' }), 'invalid pubkey'],
      [JSON.stringify({ name: '!', pubkey: other.pubkey }), 'auth pubkey does not match body pubkey'],
      [JSON.stringify({ name: '!', pubkey: who.pubkey }), 'invalid name'],
      [JSON.stringify({ name: 'admin', pubkey: who.pubkey }), 'name reserved'],
    ]
    for (const [body, error] of order) expect((await names.claim(who, '', { body })).json.error).toBe(error)
  })
})

describe('names', () => {
  const SCRIPTS: readonly [string, string][] = [
    ['Latin with accents', 'é'],
    ['Greek', 'ω'],
    ['Cyrillic', 'ж'],
    ['Hebrew', 'א'],
    ['Arabic', 'س'],
    ['Devanagari', 'क'],
    ['Thai', 'ก'],
    ['Han', '名'],
    ['Hangul', '가'],
    ['Georgian', 'ა'],
    ['full-width', 'ａ'],
    ['mathematical', '𝐚'],
    ['emoji', '😀'],
  ]
  test.each(SCRIPTS)('of 20 and 21 letters in %s are invalid', async (_, letter) => {
    for (const length of [20, 21]) {
      const name = letter.repeat(length)
      expect(seen(await names.claim(stranger(), name))).toEqual([400, 'invalid name'])
      const { json } = await names.get(`/api/v1/name/${encodeURIComponent(name)}`)
      expect(json).toMatchObject({ name, available: false, reason: 'invalid' })
    }
  })

  test('have 20 characters at most', async () => {
    expect((await names.claim(stranger(), 'q'.repeat(20))).status).toBe(201)
    expect(seen(await names.claim(stranger(), 'w'.repeat(21)))).toEqual([400, 'invalid name'])
  })

  test.each([
    'ab',
    '_abc',
    'abc_',
    '.abc',
    'abc-',
    'a b',
    'a/b',
    'a@b',
    'a\0b',
    'abc\n',
    ' abc',
    'a\u200bbc',
    'a\u202ebc',
    'ａｂｃ',
    'а\u0061bc',
    'ﬁve',
  ])('%j is invalid', async (name) => expect(seen(await names.claim(stranger(), name))).toEqual([400, 'invalid name']))

  test('a sign that becomes a letter by itself is one', async () => {
    const { status, json } = await names.claim(stranger(), '\u212Alondike')
    expect([status, json.name]).toEqual([201, 'klondike'])
  })

  test.each(['admin', 'ADMIN', 'adm1n', '4dm1n', 'a.d.m.i.n', 'wa11et', 'acme', '4cme', 'names', 'support', 'root'])(
    '%s is reserved',
    async (name) => expect(seen(await names.claim(stranger(), name))).toEqual([403, 'name reserved']),
  )

  test.each([
    'blossom',
    'BLOSSOM',
    'bl0ss0m',
    'b1ossom',
    '8lossom',
    'blo55om',
    'b.l.o.s.s.o.m',
    'bl-oss_om',
    'bios5om',
  ])('%s differs from blossom, or is taken with it', async (name) => {
    await names.claim(keyPairOf('who has blossom'), 'blossom')
    const { status, json } = await names.claim(stranger(), name)
    if (name === 'bios5om') expect(status).toBe(201)
    else expect([status, json.error]).toEqual([409, 'name taken'])
  })

  test('a key may change to what looks like its own', async () => {
    const who = stranger()
    await names.claim(who, 'meadow')
    const { status, json } = await names.claim(who, 'mead0w')
    expect([status, json.name]).toEqual([201, 'mead0w'])
  })
})

describe('a release', () => {
  test('says so in the words that wallets look for', async () => {
    const [who, name] = [stranger(), freshName()]
    await names.claim(who, name)
    const { status, body } = await names.release(who, name)
    expect([status, body]).toEqual([200, `{"name":"${name}","released":true}`])
    expect(seen(await names.release(who, name))).toEqual([404, 'name not found'])
  })

  test('frees the name for everybody at once, and arms the cooldown', async () => {
    const [who, next, name] = [stranger(), stranger(), freshName()]
    await names.claim(who, name)
    await names.release(who, name)
    expect((await names.get(`/api/v1/name/${name}`)).json.available).toBe(true)
    expect(seen(await names.claim(who, name))).toEqual([429, 'name_change_cooldown'])
    expect((await names.claim(next, name)).status).toBe(201)
  })

  test.each([
    ['in capitals', (name: string) => name.toUpperCase()],
    ['encoded', (name: string) => `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`],
    ['encoded in capitals', (name: string) => `%${name.toUpperCase().charCodeAt(0).toString(16)}${name.slice(1)}`],
    ['with a query', (name: string) => `${name}?sure=1`],
  ])('of a name written %s is signed for the name itself', async (_, write) => {
    const [who, name] = [stranger(), freshName()]
    await names.claim(who, name)
    const { status } = await names.release(who, write(name), { u: `${BASE}${REGISTER}/${name}` })
    expect(status).toBe(200)
  })

  test('does not look at a body', async () => {
    const [who, name] = [stranger(), freshName()]
    await names.claim(who, name)
    const headers = { authorization: authorizationOf(who, 'DELETE', `${REGISTER}/${name}`) }
    expect((await names.ask('DELETE', `${REGISTER}/${name}`, { headers, body: 'anything' })).status).toBe(200)
  })

  test.each(['nobody', 'x', '%C3%A9', 'a%2Fb', '%2e%2e%2f', '__proto__', 'q'.repeat(300)])(
    'of %.20s is 404',
    async (path) => {
      const u = `${BASE}${REGISTER}/${decodeURIComponent(path).toLowerCase()}`
      expect(seen(await names.release(stranger(), path, { u }))).toEqual([404, 'name not found'])
    },
  )

  test('by another key is 403', async () => {
    const name = freshName()
    await names.claim(stranger(), name)
    expect(seen(await names.release(stranger(), name))).toEqual([403, 'not the owner'])
    expect(await holderOf(name)).toBeDefined()
  })
})

describe('a proof', () => {
  const path = REGISTER
  const claimWith = async (authorization: string | undefined, body: string) =>
    names.ask('POST', path, { body, headers: authorization === undefined ? {} : { authorization } })
  const encoded = (event: unknown) => `Nostr ${Buffer.from(JSON.stringify(event)).toString('base64')}`
  const hash = (text: string) => createHash('sha256').update(text).digest('hex')

  function eventFor(
    who: KeyPair,
    body: string,
    over: { kind?: number; created_at?: number; tags?: string[][] } = {},
  ): NostrEvent {
    const { kind = 27235, created_at = Math.floor(Date.now() / 1000) } = over
    const tags = over.tags ?? [
      ['u', BASE + path],
      ['method', 'POST'],
      ['payload', hash(body)],
    ]
    return signEvent({ kind, created_at, tags, content: '' }, who.secret, random)
  }

  test.each([
    ['no header', undefined, 'missing Authorization header'],
    ['an empty header', '', 'Authorization scheme must be Nostr'],
    ['Bearer', 'Bearer abc', 'Authorization scheme must be Nostr'],
    ['a small letter', 'nostr e30=', 'Authorization scheme must be Nostr'],
    ['a tab', 'Nostr\te30=', 'Authorization scheme must be Nostr'],
    ['no blank', 'Nostre30=', 'Authorization scheme must be Nostr'],
    ['no base64', 'Nostr ***', 'invalid base64 auth event'],
    ['base64 for addresses', 'Nostr eyJ-_w', 'invalid base64 auth event'],
    ['no padding', 'Nostr e30', 'invalid base64 auth event'],
    ['an empty object', 'Nostr e30=', 'invalid auth event json'],
    ['an array', 'Nostr W10=', 'invalid auth event json'],
    ['no JSON', `Nostr ${Buffer.from('{').toString('base64')}`, 'invalid auth event json'],
  ])('with %s is refused', async (_, authorization, error) => {
    expect(seen(await claimWith(authorization, bodyFor(stranger(), freshName())))).toEqual([401, error])
  })

  test.each([
    ['id', (event: NostrEvent) => ({ ...event, id: '0'.repeat(64) })],
    [
      'sig',
      (event: NostrEvent) => ({ ...event, sig: `${event.sig.startsWith('0') ? '1' : '0'}${event.sig.slice(1)}` }),
    ],
    ['pubkey', (event: NostrEvent) => ({ ...event, pubkey: keyPairOf('other').pubkey })],
    ['content', (event: NostrEvent) => ({ ...event, content: 'changed' })],
    ['created_at', (event: NostrEvent) => ({ ...event, created_at: event.created_at + 1 })],
    ['tags', (event: NostrEvent) => ({ ...event, tags: [...event.tags, ['x', 'y']] })],
  ])('whose %s was changed is refused', async (_, change) => {
    const [who, name] = [stranger(), freshName()]
    const body = bodyFor(who, name)
    expect(seen(await claimWith(encoded(change(eventFor(who, body))), body))).toEqual([401, 'bad event signature'])
  })

  test.each([
    ['of kind 1', { kind: 1 }, 'auth event kind must be 27235'],
    ['of kind 22242', { kind: 22242 }, 'auth event kind must be 27235'],
    ['of 1970', { created_at: 0 }, 'auth event expired or post-dated'],
    ['of 2100', { created_at: 4_102_444_800 }, 'auth event expired or post-dated'],
  ])('%s is refused', async (_, over, error) => {
    const [who, name] = [stranger(), freshName()]
    const body = bodyFor(who, name)
    expect(seen(await claimWith(encoded(eventFor(who, body, over)), body))).toEqual([401, error])
  })

  // Whole seconds pass while a request is under way, so the edges are left to the tests with a clock that stands still.
  test.each([
    [-57, 201],
    [-30, 201],
    [3, 201],
    [-62, 401],
    [-3600, 401],
    [8, 401],
    [3600, 401],
  ])('of a clock that is %s s off is %s', async (ahead, status) => {
    expect((await names.claim(stranger(), freshName(), { ahead })).status).toBe(status)
  })

  test.each([
    `${BASE}/api/v1/quote`,
    `${BASE}${REGISTER}?a=1`,
    `${BASE}${REGISTER}#x`,
    `${BASE}:443${REGISTER}`,
    `http://${DOMAIN}${REGISTER}`,
    `https://evil.example${REGISTER}`,
    `HTTPS://${DOMAIN.toUpperCase()}${REGISTER}`,
    `${BASE}/${REGISTER}`,
    REGISTER,
    '',
  ])('for the address %j is refused', async (u) => {
    expect(seen(await names.claim(stranger(), freshName(), { u }))).toEqual([401, 'auth event url mismatch'])
  })

  test('does not follow Host or forwarding headers', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    const u = `https://evil.example${REGISTER}`
    expect((await names.claim(stranger(), freshName(), { headers, u })).status).toBe(401)
  })

  test('for another method is refused, in any case of letters', async () => {
    expect(seen(await names.claim(stranger(), freshName(), { says: 'DELETE' }))).toEqual([
      401,
      'auth event method mismatch',
    ])
    expect((await names.claim(stranger(), freshName(), { says: 'post' })).status).toBe(201)
  })

  test('for another body is refused', async () => {
    const hashed = Buffer.from('another')
    expect(seen(await names.claim(stranger(), freshName(), { hashed }))).toEqual([
      401,
      'auth event payload hash mismatch',
    ])
  })

  test('for no body is refused when there is one', async () => {
    const who = stranger()
    const body = bodyFor(who, freshName())
    const tags = [
      ['u', BASE + path],
      ['method', 'POST'],
    ]
    expect(seen(await claimWith(encoded(eventFor(who, body, { tags })), body))).toEqual([
      401,
      'auth event missing payload hash',
    ])
  })

  test.each([
    ['u', ['u', 'https://evil.example/']],
    ['method', ['method', 'GET']],
    ['payload', ['payload', '0'.repeat(64)]],
  ])('with a second, wrong %s tag at its end is refused', async (_, extra) => {
    expect((await names.claim(stranger(), freshName(), { tags: [extra] })).status).toBe(401)
  })

  test('of one claim does not serve another, nor a release', async () => {
    const [who, name] = [stranger(), freshName()]
    const body = bodyFor(who, name)
    const authorization = authorizationOf(who, 'POST', REGISTER, { body })
    expect((await claimWith(authorization, bodyFor(who, freshName()))).status).toBe(401)
    expect((await names.ask('DELETE', `${REGISTER}/${name}`, { headers: { authorization } })).status).toBe(401)
    expect((await claimWith(authorization, body)).status).toBe(201)
  })

  test('counts once, also when the claim was refused', async () => {
    const who = stranger()
    const body = bodyFor(who, 'admin')
    const authorization = authorizationOf(who, 'POST', REGISTER, { body })
    expect(seen(await claimWith(authorization, body))).toEqual([403, 'name reserved'])
    expect(seen(await claimWith(authorization, body))).toEqual([401, 'auth event replayed'])
  })

  test('sent 50 times at once counts once', async () => {
    const who = stranger()
    const body = bodyFor(who, freshName())
    const authorization = authorizationOf(who, 'POST', REGISTER, { body })
    const answers = await Promise.all(Array.from({ length: 50 }, () => claimWith(authorization, body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ json }) => json.error === 'auth event replayed')).toHaveLength(49)
  })
})

describe('races', () => {
  test('100 keys claim one name: one gets it', async () => {
    const name = freshName()
    const crowd = Array.from({ length: 100 }, stranger)
    const answers = await Promise.all(crowd.map((who) => names.claim(who, name)))
    const won = answers.flatMap(({ status }, at) => (status === 201 ? [crowd[at]?.pubkey] : []))
    expect(won).toHaveLength(1)
    expect(answers.filter(({ json }) => json.error === 'name taken')).toHaveLength(99)
    expect(await holderOf(name)).toBe(won[0])
  })

  test('60 keys claim names that look alike: one gets one', async () => {
    const spellings = ['solstice', 's0lstice', '5olstice', 'so1stice', 'sol5tice', 's.olstice', 'solst1ce', 'solstic3']
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) => names.claim(stranger(), spellings[at % spellings.length])),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  })

  test('one key claims 100 names: it ends with one', async () => {
    const who = stranger()
    const wanted = Array.from({ length: 100 }, freshName)
    const answers = await Promise.all(wanted.map((name) => names.claim(who, name)))
    const granted = answers.flatMap(({ status, json }) => (status === 201 ? [json.name] : []))
    expect(granted.length).toBeGreaterThan(0)
    const held: string[] = []
    for (const name of wanted) if ((await holderOf(name)) === who.pubkey) held.push(name)
    expect(held).toEqual([await nameOf(who)])
    expect(granted).toContain(held[0])
  })
})

describe('what was granted and used stays so', () => {
  test('over a power cut, and before another process on the same database', async () => {
    const [who, name, other] = [stranger(), freshName(), freshName()]
    const body = bodyFor(who, name)
    const headers = { authorization: authorizationOf(who, 'POST', REGISTER, { body }) }
    const spent = stranger()
    expect((await names.ask('POST', REGISTER, { body, headers })).status).toBe(201)
    await names.claim(spent, other)
    await names.release(spent, other)

    const second = await startAuthority(cli.entry, folder.path)
    expect(seen(await second.ask('POST', REGISTER, { body, headers }))).toEqual([401, 'auth event replayed'])
    expect(seen(await second.claim(spent, freshName()))).toEqual([429, 'name_change_cooldown'])
    expect((await second.get(`/api/v1/profile/${name}`)).json.pubkey).toBe(who.pubkey)
    expect(await second.stop()).toBe(0)

    await names.kill()
    names = await startAuthority(cli.entry, folder.path)
    expect(seen(await names.ask('POST', REGISTER, { body, headers }))).toEqual([401, 'auth event replayed'])
    expect(seen(await names.claim(spent, freshName()))).toEqual([429, 'name_change_cooldown'])
    expect(await holderOf(name)).toBe(who.pubkey)
  })

  test('one proof, sent to two processes at once, counts once', async () => {
    const second = await startAuthority(cli.entry, folder.path)
    for (let round = 0; round < 20; round++) {
      const who = stranger()
      const body = bodyFor(who, freshName())
      const headers = { authorization: authorizationOf(who, 'POST', REGISTER, { body }) }
      const answers = await Promise.all(
        [names, second, names, second].map((one) => one.ask('POST', REGISTER, { body, headers })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401])
    }
    const name = freshName()
    const claims = await Promise.all([names, second, names, second].map((one) => one.claim(stranger(), name)))
    expect(claims.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
    await second.stop()
  })
})
