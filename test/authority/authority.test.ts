// The authority put together: proven requests, the record of used ones, the loops.
import { describe, expect, test } from 'vitest'
import { type AuthoritySettings, createAuthority, type KernelSource } from '../../src/authority/index.js'
import { parseGrin } from '../../src/grin/amount/index.js'
import { utf8 } from '../../src/lib/bytes.js'
import { httpAuthHeader } from '../../src/nostr/http-auth/index.js'
import { authoritySettings, claimBody } from '../support/authority-parts.js'
import { createFakeClock } from '../support/fake-clock.js'
import { keyPairOf, seededRandom } from '../support/nostr.js'
import { quickNames } from '../support/quick-stores.js'
import { SECOND } from '../support/till-builders.js'

const logEntries: unknown[] = []
const log = {
  info: (facts: object, text: string) => void logEntries.push([text, facts]),
  warn: () => undefined,
  error: () => undefined,
}
const random = seededRandom('authority')
const ada = keyPairOf('ada')
const PATH = '/api/v1/register'

function open() {
  const store = quickNames()
  const clock = createFakeClock()
  const settings = authoritySettings()
  const authority = createAuthority({ store, clock, log, settings })
  const body = claimBody('nova', ada.pubkey)
  const signed = (signedAt = clock.now()) => ({
    method: 'POST',
    path: PATH,
    body,
    authorization: httpAuthHeader({
      url: settings.baseUrl + PATH,
      method: 'POST',
      body,
      secret: ada.secret,
      now: signedAt,
      random,
    }),
  })
  return { store, clock, authority, signed }
}

const usedIds = ({ db }: ReturnType<typeof open>['store']): number => db.all('SELECT 1 FROM auth').length

const textOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof Error ? `${error.message}` : String(error)),
  )

describe('a signed request', () => {
  test('proves who sent it, once', async () => {
    const { authority, signed } = open()
    const request = signed()
    expect(await authority.authorize(request)).toEqual({ pubkey: ada.pubkey })
    expect(await textOf(authority.authorize(request))).toBe('auth event replayed')
  })

  test('of many copies at the same time one passes', async () => {
    const { authority, signed } = open()
    const request = signed()
    const answers = await Promise.all(Array.from({ length: 20 }, () => textOf(authority.authorize(request))))
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1)
    expect(answers.filter((answer) => answer === 'auth event replayed')).toHaveLength(19)
  })

  test('that fails a check is not remembered: it may come again in the right place', async () => {
    const { authority, signed, store } = open()
    const request = signed()
    expect(await textOf(authority.authorize({ ...request, path: '/api/v1/quote' }))).toBe('auth event url mismatch')
    expect(await textOf(authority.authorize({ ...request, body: utf8('{}') }))).toBe('auth event payload hash mismatch')
    expect(await textOf(authority.authorize({ ...request, authorization: undefined }))).toBe(
      'missing Authorization header',
    )
    expect(usedIds(store)).toBe(0)
    expect(await textOf(authority.authorize(request))).toBe('ok')
  })

  test('differs from a wrong one by status 401', async () => {
    const { authority, signed } = open()
    const request = { ...signed(), authorization: 'Bearer x' }
    await expect(authority.authorize(request)).rejects.toMatchObject({ status: 401, code: 'NIP98_REFUSED' })
  })
})

test('who got and who gave up a name is logged, and nothing else is', async () => {
  const { authority } = open()
  logEntries.length = 0
  const body = claimBody('nova', ada.pubkey)
  await authority.names.register({ pubkey: ada.pubkey }, body)
  await authority.names.register({ pubkey: ada.pubkey }, body)
  await authority.names.lookup('nova')
  await authority.names.release({ pubkey: ada.pubkey }, 'nova')
  const who = { name: 'nova', pubkey: ada.pubkey }
  expect(logEntries).toEqual([
    ['a name was claimed', who],
    ['a name was released', who],
  ])
})

describe('used requests', () => {
  const forgetting = ({ authority }: ReturnType<typeof open>) =>
    authority.loops.find(({ name }) => name === 'spent-authorisations')!

  test('are remembered for as long as they could be used, and forgotten a minute later', async () => {
    const desk = open()
    const { authority, signed, clock, store } = desk
    const postDated = signed(clock.now() + 5 * SECOND)
    expect(await textOf(authority.authorize(postDated))).toBe('ok')
    await clock.advance(65 * SECOND)
    await forgetting(desk).pass()
    expect(await textOf(authority.authorize(postDated))).toBe('auth event replayed')
    await clock.advance(64 * SECOND)
    await forgetting(desk).pass()
    expect(usedIds(store)).toBe(1)
    await clock.advance(SECOND)
    await forgetting(desk).pass()
    expect(usedIds(store)).toBe(0)
    expect(await textOf(authority.authorize(postDated))).toBe('auth event expired or post-dated')
  })

  test('are not forgotten by a clock that jumped ahead and is set right again', async () => {
    const desk = open()
    const { authority, signed, clock, store } = desk
    await forgetting(desk).pass()
    const used = signed()
    expect(await textOf(authority.authorize(used))).toBe('ok')
    await clock.advance(3600 * SECOND)
    await forgetting(desk).pass()
    await clock.advance(60 * SECOND)
    await forgetting(desk).pass()
    await clock.advance(-3650 * SECOND)
    expect(await textOf(authority.authorize(used))).toBe('auth event replayed')
    for (let minute = 0; minute < 3; minute++) {
      await clock.advance(60 * SECOND)
      await forgetting(desk).pass()
    }
    expect(usedIds(store)).toBe(0)
  })

  test('are not forgotten by a process that starts while the clock is ahead', async () => {
    const desk = open()
    const { authority, signed, clock } = desk
    const used = signed()
    expect(await textOf(authority.authorize(used))).toBe('ok')
    await clock.advance(3600 * SECOND)
    await forgetting(desk).pass()
    await clock.advance(-3590 * SECOND)
    expect(await textOf(authority.authorize(used))).toBe('auth event replayed')
  })

  test('and cooldowns are kept until they are over by either clock', async () => {
    const desk = open()
    const { authority, clock, store } = desk
    const ended = clock.now() + authority.settings.cooldownSeconds * SECOND
    await authority.names.register({ pubkey: ada.pubkey }, claimBody('nova', ada.pubkey))
    await authority.names.release({ pubkey: ada.pubkey }, 'nova')
    expect(authority.settings.cooldownSeconds).toBeGreaterThan(300)
    await clock.advance(3600 * SECOND)
    for (let minute = 0; minute < 5; minute++) {
      await forgetting(desk).pass()
      await clock.advance(60 * SECOND)
    }
    expect(await store.cooldownUntil(ada.pubkey)).toBe(ended)
    for (let minute = 0; minute <= authority.settings.cooldownSeconds / 60; minute++) {
      await forgetting(desk).pass()
      await clock.advance(60 * SECOND)
    }
    expect(await store.cooldownUntil(ada.pubkey)).toBe(0)
  })

  test('are forgotten after all when the clock stays ahead', async () => {
    const desk = open()
    const { authority, signed, clock, store } = desk
    await forgetting(desk).pass()
    await authority.authorize(signed())
    await clock.advance(3600 * SECOND)
    for (let minute = 0; minute < 3; minute++) {
      await forgetting(desk).pass()
      await clock.advance(60 * SECOND)
    }
    expect(usedIds(store)).toBe(0)
  })

  test('are forgotten in batches, many in one pass', async () => {
    const desk = open()
    const sizes: number[] = []
    const forgetAuths = desk.store.forgetAuths
    desk.store.forgetAuths = async (now, limit, cooldownsBy) => {
      sizes.push(limit)
      return forgetAuths(now, limit, cooldownsBy)
    }
    for (let at = 0; at < 1200; at++) await desk.store.recordAuth(`${at}`.padStart(64, '0'), 0)
    for (let passes = 0; passes < 3; passes++) await forgetting(desk).pass()
    expect(usedIds(desk.store)).toBe(0)
    expect(new Set(sizes)).toEqual(new Set([500]))
  })
})

test('a name goes from hand to hand', async () => {
  const { authority, signed } = open()
  const request = signed()
  const caller = await authority.authorize(request)
  expect(await authority.names.register(caller, request.body)).toMatchObject({
    nip05: 'nova@acme.example',
    isNew: true,
  })
  expect(await authority.names.release(caller, 'nova')).toBe('nova')
  expect(await authority.names.availability('nova')).toMatchObject({ state: 'free' })
})

test('without transfers and sales there is nothing of them', async () => {
  const { authority } = open()
  expect(authority.transfers).toBeUndefined()
  expect(await authority.paid.requireName(ada.pubkey)).toBe(false)
  expect(await authority.paid.isWritePaid(ada.pubkey)).toEqual({ pubkey: ada.pubkey, paid: true })
})

test('what the settings switch on needs its other half', () => {
  const { store, clock } = open()
  const made = (changes: Partial<AuthoritySettings>, kernels?: KernelSource) =>
    createAuthority({ store, clock, log, settings: authoritySettings(changes), kernels })
  const transfers = { minConfirmations: 10, maxOfferSeconds: 60, claimGraceSeconds: 60 }
  expect(() => made({ transfers })).toThrow(TypeError)
  expect(() => made({ sale: { resource: 'name', price: parseGrin('1') } })).toThrow(TypeError)
  const tip = async () => 1
  expect(made({ transfers }, { tip, kernel: async () => undefined }).transfers).toBeDefined()
})
