// Claiming and releasing names, and in which order a claim is refused (specification: names, 3 and 6).
import { describe, expect, test } from 'vitest'
import { paymentRequired } from '../../../src/authority/errors.js'
import { shapeOf } from '../../../src/authority/index.js'
import { utf8 } from '../../../src/lib/bytes.js'
import { claimBody, createNamesDesk } from '../../support/authority-parts.js'
import { SECOND } from '../../support/till-builders.js'

const ADA = 'a'.repeat(64)
const BOB = 'b'.repeat(64)
const CAT = 'c'.repeat(64)

/** The text that goes over the wire, or what was answered. */
const answerOf = <T>(work: Promise<T>): Promise<T | string> =>
  work.catch((error: unknown) => (error instanceof Error ? error.message : String(error)))

/** The members that a refusal tells beside its text. */
const membersOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: { members?: unknown }) => error.members,
  )

describe('a claim', () => {
  test('takes a free name, and says so again when it is repeated', async () => {
    const { claim, names } = createNamesDesk()
    expect(await claim(ADA, 'Nova')).toEqual({ name: 'nova', nip05: 'nova@acme.example', isNew: true })
    expect(await claim(ADA, 'nova')).toEqual({ name: 'nova', nip05: 'nova@acme.example', isNew: false })
    expect(await names.lookup('NOVA')).toEqual({ name: 'nova', pubkey: ADA })
    expect(await names.nameOf(ADA.toUpperCase())).toEqual({ name: 'nova', pubkey: ADA })
  })

  test('of another name releases the old one and arms the cooldown', async () => {
    const { claim, clock, names } = createNamesDesk()
    await claim(ADA, 'nova')
    expect(await claim(ADA, 'comet')).toMatchObject({ name: 'comet', isNew: true })
    expect(await names.lookup('nova')).toBeUndefined()
    expect(await answerOf(claim(ADA, 'third'))).toBe('name_change_cooldown')
    expect(await membersOf(claim(ADA, 'third'))).toEqual({ retry_after: 600 })
    await clock.advance(600 * SECOND - 1)
    expect(await answerOf(claim(ADA, 'third'))).toBe('name_change_cooldown')
    await clock.advance(1)
    expect(await claim(ADA, 'third')).toMatchObject({ name: 'third', isNew: true })
  })

  test('of the held name passes while the cooldown runs, whatever its case', async () => {
    const { claim } = createNamesDesk()
    await claim(ADA, 'nova')
    await claim(ADA, 'comet')
    expect(await claim(ADA, 'COMET')).toMatchObject({ name: 'comet', isNew: false })
  })

  test('that was refused arms nothing and extends nothing', async () => {
    const { claim, store } = createNamesDesk()
    await claim(ADA, 'nova')
    await answerOf(claim(BOB, 'nova'))
    await answerOf(claim(BOB, 'admin'))
    expect(await store.cooldownUntil(BOB)).toBe(0)
    await claim(ADA, 'comet')
    const until = await store.cooldownUntil(ADA)
    await answerOf(claim(ADA, 'third'))
    expect(await store.cooldownUntil(ADA)).toBe(until)
  })

  test('is free of cooldowns when the operator switched them off', async () => {
    const { claim } = createNamesDesk({ cooldownSeconds: 0 })
    await claim(ADA, 'nova')
    await claim(ADA, 'comet')
    expect(await claim(ADA, 'third')).toMatchObject({ isNew: true })
  })

  test('may change to a look-alike of the name the key holds, but not of another key’s', async () => {
    const { claim } = createNamesDesk()
    await claim(ADA, 'alice')
    expect(await answerOf(claim(BOB, 'a1ice'))).toBe('name taken')
    expect(await answerOf(claim(BOB, 'alice'))).toBe('name taken')
    expect(await claim(ADA, 'a1ice')).toMatchObject({ name: 'a1ice', isNew: true })
    expect(await answerOf(claim(BOB, 'alice'))).toBe('name taken')
  })

  test('may take a released name at once, and its look-alikes', async () => {
    const { claim, names } = createNamesDesk()
    await claim(ADA, 'alice')
    await names.release({ pubkey: ADA }, 'alice')
    expect(await claim(BOB, 'al1ce')).toMatchObject({ isNew: true })
  })

  test('of a name that the operator keeps back is refused like one of the built-in list', async () => {
    const { claim, store, clock } = createNamesDesk({ reserved: ['mybrand'] })
    await store.reserve(shapeOf('mascot'), { reason: 'ours', now: clock.now() })
    for (const name of ['admin', 'adm1n', 'acme', 'my.brand', 'm4scot'])
      expect(await answerOf(claim(ADA, name))).toBe('name reserved')
  })
})

describe('refusals come in the order of the specification:', () => {
  const anything = utf8('no json')

  test('cooldown before everything that the body says', async () => {
    const { claim, names } = createNamesDesk()
    await claim(ADA, 'nova')
    await claim(ADA, 'comet')
    for (const body of [anything, claimBody('x', 'y'), claimBody('nova', BOB), claimBody('admin', ADA)])
      expect(await answerOf(names.register({ pubkey: ADA }, body))).toBe('name_change_cooldown')
    expect(await answerOf(names.register({ pubkey: ADA }, claimBody('comet', 'y')))).toBe('invalid pubkey')
  })

  test.each([
    ['no JSON', anything],
    ['nothing', utf8('')],
    ['a list', utf8(`["nova","${ADA}"]`)],
    ['null', utf8('null')],
    ['a name that is no text', claimBody(7, ADA)],
    ['no key', utf8('{"name":"nova"}')],
    ['a byte order mark', utf8(`\ufeff{"name":"nova","pubkey":"${ADA}"}`)],
    ['bytes that are no text', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('%s is an invalid body', async (_, body) => {
    expect(await answerOf(createNamesDesk().names.register({ pubkey: ADA }, body))).toBe('invalid body')
  })

  test('form of the key, whose key, grammar, reserved, taken', async () => {
    const { claim, names } = createNamesDesk()
    await claim(BOB, 'nova')
    const register = (name: string, pubkey: string) =>
      answerOf(names.register({ pubkey: ADA }, claimBody(name, pubkey)))
    expect(await register('-', 'xyz')).toBe('invalid pubkey')
    expect(await register('-', BOB)).toBe('auth pubkey does not match body pubkey')
    expect(await register('-', ADA.toUpperCase())).toBe('invalid name')
    expect(await register('adm1n', ADA)).toBe('name reserved')
    expect(await register('n0va', ADA)).toBe('name taken')
  })

  test('no key is asked to pay for what cannot be', async () => {
    const asked: string[] = []
    const { claim } = createNamesDesk({}, async (pubkey) => {
      asked.push(pubkey)
      throw paymentRequired()
    })
    for (const name of ['-', 'adm1n']) await answerOf(claim(ADA, name))
    expect(asked).toEqual([])
    expect(await answerOf(claim(ADA, 'nova'))).toBe('payment_required')
    expect(asked).toEqual([ADA])
  })
})

describe('a paid claim', () => {
  const grant = { pubkey: ADA, resource: 'name', serial: 1, invoiceId: 'i1', payUrl: 'u', amount: 1n } as const

  async function paidDesk(requireName: (pubkey: string) => Promise<boolean>) {
    const desk = createNamesDesk({}, requireName)
    const now = desk.clock.now()
    const pending = { ...grant, amount: 1n as never, status: 'pending', createdAt: now, paidAt: null } as const
    await desk.store.saveGrant(pending, null)
    await desk.store.settleGrant('i1', now)
    return desk
  }

  test('spends the grant', async () => {
    const { claim, store } = await paidDesk(async () => true)
    expect(await claim(ADA, 'nova')).toMatchObject({ isNew: true })
    expect(await store.grant(ADA, 'name')).toBeUndefined()
  })

  test('of the held name spends nothing and asks for nothing', async () => {
    const { claim, store } = await paidDesk(async () => {
      throw paymentRequired()
    })
    await store.assign(shapeOf('nova'), { pubkey: ADA, replace: false, reason: 'gift', now: 0 })
    expect(await claim(ADA, 'nova')).toMatchObject({ isNew: false })
    expect(await store.grant(ADA, 'name')).toMatchObject({ status: 'paid' })
  })

  test('whose payment another claim spends meanwhile has to pay anew: one payment, one name', async () => {
    let payments = 1
    const { claim, store } = await paidDesk(async () => {
      if (payments-- > 0) return true
      throw paymentRequired()
    })
    await store.claimName({ shape: shapeOf('comet'), pubkey: ADA, now: 0, cooldownMs: 0, paid: true })
    expect(await answerOf(claim(ADA, 'nova'))).toBe('payment_required')
    expect(await store.nameOfKey(ADA)).toMatchObject({ name: 'comet' })
  })

  test('gives up when payments keep vanishing', async () => {
    const { claim } = createNamesDesk({}, async () => true)
    expect(await answerOf(claim(ADA, 'nova'))).toBe('payment backend unavailable, try again')
  })
})

describe('while the service is asked', () => {
  /** Something happens between the refusals and the write. */
  async function claimDuring(happens: (desk: ReturnType<typeof createNamesDesk>) => Promise<unknown>) {
    const desk = createNamesDesk({}, async () => {
      await happens(desk)
      return false
    })
    await desk.store.assign(shapeOf('comet'), { pubkey: ADA, replace: false, reason: 'gift', now: 0 })
    return desk.claim(ADA, 'nova')
  }
  const change = { reason: 'test', now: 0 }

  test('another key may take the name', async () => {
    const work = claimDuring(({ store }) => store.assign(shapeOf('n0va'), { ...change, pubkey: BOB, replace: false }))
    expect(await answerOf(work)).toBe('name taken')
  })

  test('the operator may keep it back', async () => {
    expect(await answerOf(claimDuring(({ store }) => store.reserve(shapeOf('nova'), change)))).toBe('name reserved')
  })

  test('the operator may suspend the name that would be left behind', async () => {
    const work = claimDuring(({ store }) => store.suspend('comet', { ...change, suspended: true }))
    expect(await answerOf(work)).toBe('name suspended')
  })

  test('the key may claim this very name, or change its name', async () => {
    const same = ({ store, clock }: ReturnType<typeof createNamesDesk>, name: string) =>
      store.claimName({ shape: shapeOf(name), pubkey: ADA, now: clock.now(), cooldownMs: 60_000, paid: false })
    expect(await claimDuring((desk) => same(desk, 'nova'))).toMatchObject({ name: 'nova', isNew: false })
    const other = () => claimDuring((desk) => same(desk, 'third'))
    expect(await answerOf(other())).toBe('name_change_cooldown')
    expect(await membersOf(other())).toEqual({ retry_after: 60 })
  })
})

describe('a release', () => {
  test('frees the name, arms the cooldown and is for its holder only', async () => {
    const { claim, names } = createNamesDesk()
    await claim(ADA, 'nova')
    expect(await answerOf(names.release({ pubkey: BOB }, 'nova'))).toBe('not the owner')
    expect(await names.release({ pubkey: ADA }, 'NOVA')).toBe('nova')
    expect(await answerOf(names.release({ pubkey: ADA }, 'nova'))).toBe('name not found')
    expect(await answerOf(claim(ADA, 'comet'))).toBe('name_change_cooldown')
    expect(await claim(CAT, 'nova')).toMatchObject({ isNew: true })
  })

  test('of what is no name finds no name', async () => {
    expect(await answerOf(createNamesDesk().names.release({ pubkey: ADA }, '%'))).toBe('name not found')
  })

  test('passes while the cooldown runs', async () => {
    const { claim, names } = createNamesDesk()
    await claim(ADA, 'nova')
    await claim(ADA, 'comet')
    expect(await names.release({ pubkey: ADA }, 'comet')).toBe('comet')
  })
})

describe('a suspended name', () => {
  async function suspended() {
    const desk = createNamesDesk()
    await desk.claim(ADA, 'nova')
    await desk.store.suspend('nova', { reason: 'complaint', now: 0, suspended: true })
    return desk
  }

  test('does not resolve and has no other holder', async () => {
    const { names, claim } = await suspended()
    expect(await names.lookup('nova')).toBeUndefined()
    expect(await names.nameOf(ADA)).toBeUndefined()
    expect(await names.availability('n0va')).toEqual({ name: 'n0va', state: 'taken' })
    expect(await answerOf(claim(BOB, 'nova'))).toBe('name taken')
  })

  test('can neither be released, nor left behind, nor claimed again', async () => {
    const { names, claim } = await suspended()
    expect(await answerOf(names.release({ pubkey: ADA }, 'nova'))).toBe('name suspended')
    expect(await answerOf(names.release({ pubkey: BOB }, 'nova'))).toBe('not the owner')
    expect(await answerOf(claim(ADA, 'comet'))).toBe('name suspended')
    expect(await answerOf(claim(ADA, 'nova'))).toBe('name suspended')
  })
})
