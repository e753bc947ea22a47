import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../../../src/authority/index.js'
import { aClaim, aGrant, aKey, COOLDOWN, holderOf } from '../../../support/name-builders.js'
import { freshHex, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

const BY_HAND = { reason: 'by hand', now: NOON }

export function describeClaiming(open: OpenNames): void {
  describe('claiming', () => {
    test('a free name is claimed, and found by name and by key', async () => {
      const store = await open()
      const pubkey = aKey()
      expect(await store.claimName(aClaim('alice', { pubkey }))).toEqual({ outcome: 'claimed', released: null })
      const held = { name: 'alice', pubkey, createdAt: NOON, suspendedAt: null }
      expect(await store.activeName('alice')).toEqual(held)
      expect(await store.nameOfKey(pubkey)).toEqual(held)
      expect(await store.activeName('bob')).toBeUndefined()
      expect(await store.nameOfKey(aKey())).toBeUndefined()
      expect(await store.nameOfKey('no key')).toBeUndefined()
      expect(await store.cooldownUntil(pubkey)).toBe(0)
    })

    test('the name of an object member is a name like any other', async () => {
      const store = await open()
      expect(await store.activeName('constructor')).toBeUndefined()
      await holderOf(store, 'constructor')
      expect((await store.activeName('constructor'))?.name).toBe('constructor')
    })

    test('of a hundred keys that claim one name at once, one gets it', async () => {
      const store = await open()
      const answers = await Promise.all(Array.from({ length: 100 }, () => store.claimName(aClaim('alice'))))
      expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1)
      expect(answers.filter(({ outcome }) => outcome === 'taken')).toHaveLength(99)
      expect((await store.listNames({}, 10)).items).toHaveLength(1)
    })

    test('of a hundred look-alikes that different keys claim at once, one is given', async () => {
      const store = await open()
      const spellings = Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? 'alice' : 'al1ce').split('').join('-'.repeat(i % 7)),
      )
      const answers = await Promise.all(spellings.map((name) => store.claimName(aClaim(name))))
      expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(1)
    })

    test('a key that claims a hundred names at once ends with one', async () => {
      const store = await open()
      const pubkey = aKey()
      const claims = Array.from({ length: 100 }, (_, i) => aClaim(`name-${freshHex(4)}-${i}z`, { pubkey }))
      const answers = await Promise.all(claims.map((claim) => store.claimName(claim)))
      // The first is a first claim, the second a change, which arms the cooldown for the rest.
      expect(answers.filter(({ outcome }) => outcome === 'claimed')).toHaveLength(2)
      expect(answers.filter(({ outcome }) => outcome === 'cooldown')).toHaveLength(98)
      expect((await store.listNames({ status: 'active' }, 10)).items).toHaveLength(1)
      expect((await store.listNames({ pubkey }, 10)).items).toHaveLength(2)
    })

    test('a change releases the old name in the same step and arms the cooldown', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      const change = aClaim('carol', { pubkey, now: NOON + SECOND })
      expect(await store.claimName(change)).toEqual({ outcome: 'claimed', released: 'alice' })
      expect(await store.activeName('alice')).toBeUndefined()
      expect(await store.nameRecord('alice')).toMatchObject({ pubkey, releasedAt: NOON + SECOND })
      expect((await store.nameOfKey(pubkey))?.name).toBe('carol')
      expect(await store.cooldownUntil(pubkey)).toBe(NOON + SECOND + COOLDOWN)
      expect(await store.claimName(aClaim('alice'))).toEqual({ outcome: 'claimed', released: null })
    })

    test('a cooldown ends to the millisecond, and repeating the held name does not care', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      await store.claimName(aClaim('carol', { pubkey }))
      const until = NOON + COOLDOWN
      expect(await store.claimName(aClaim('dave', { pubkey, now: until - 1 }))).toEqual({ outcome: 'cooldown' })
      expect(await store.claimName(aClaim('carol', { pubkey, now: until - 1 }))).toEqual({ outcome: 'held' })
      expect(await store.cooldownUntil(pubkey)).toBe(until)
      expect(await store.claimName(aClaim('dave', { pubkey, now: until }))).toMatchObject({ outcome: 'claimed' })
    })

    test('without a cooldown none is armed', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      await store.claimName(aClaim('carol', { pubkey, cooldownMs: 0 }))
      expect(await store.cooldownUntil(pubkey)).toBe(0)
    })

    test('a shorter cooldown does not cut a longer one', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      await store.releaseName({ name: 'alice', pubkey, now: NOON, cooldownMs: COOLDOWN })
      const other = { name: 'bob', pubkey, now: NOON + SECOND, cooldownMs: SECOND }
      await store.assign(shapeOf('bob'), { ...BY_HAND, pubkey, replace: false })
      expect(await store.releaseName(other)).toBe('released')
      expect(await store.cooldownUntil(pubkey)).toBe(NOON + COOLDOWN)
    })

    test("a look-alike of another key's active name is taken, of the own name or of a released one not", async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'a1ice')
      for (const name of ['a1ice', 'alice', 'aiice', 'a-1i.ce', '41ic3'])
        expect([name, await store.claimName(aClaim(name))]).toEqual([name, { outcome: 'taken' }])
      expect(await store.claimName(aClaim('a2ice'))).toMatchObject({ outcome: 'claimed' })
      expect(await store.claimName(aClaim('alice', { pubkey, cooldownMs: 0 }))).toMatchObject({ released: 'a1ice' })
      // `aiice` looked like `a1ice`, which is released, and does not look like `alice`.
      expect(await store.claimName(aClaim('aiice'))).toMatchObject({ outcome: 'claimed' })
    })

    test('the answer names the rival, except the key that asks', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      expect(await store.rivalOf(shapeOf('a1ice'))).toMatchObject({ name: 'alice', pubkey })
      expect(await store.rivalOf(shapeOf('alice'), aKey())).toMatchObject({ name: 'alice' })
      expect(await store.rivalOf(shapeOf('a1ice'), pubkey)).toBeUndefined()
      // The same skeleton, and still two plain letters that differ.
      expect(await store.rivalOf(shapeOf('aiice'))).toBeUndefined()
    })

    test('where a name stands is what the reserved names and then the others say', async () => {
      const store = await open()
      await holderOf(store, 'alice')
      await holderOf(store, 'aiice')
      await store.reserve(shapeOf('bank'), BY_HAND)
      await holderOf(store, 'dave')
      await store.reserve(shapeOf('d4ve'), BY_HAND)
      const standings = {
        a1ice: 'taken',
        '41.ice': 'taken',
        'b-4-nk': 'reserved',
        dave: 'reserved',
        allce: 'free',
        nova: 'free',
      }
      for (const [name, standing] of Object.entries(standings))
        expect([name, await store.availabilityOf(shapeOf(name))]).toEqual([name, standing])
    })

    test('the key of a name is known while the name is held and not suspended', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      expect(await store.keyOfName('alice')).toBe(pubkey)
      expect(await store.keyOfName('a1ice')).toBeUndefined()
      await store.suspend('alice', { ...BY_HAND, suspended: true })
      expect(await store.keyOfName('alice')).toBeUndefined()
      await store.suspend('alice', { ...BY_HAND, suspended: false })
      expect(await store.keyOfName('alice')).toBe(pubkey)
      await store.releaseName({ name: 'alice', pubkey, now: NOON, cooldownMs: 0 })
      expect(await store.keyOfName('alice')).toBeUndefined()
    })

    test('the refusals come in their order, and a refused claim changes nothing', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      await holderOf(store, 'bob')
      await store.reserve(shapeOf('bank'), BY_HAND)
      await store.reserve(shapeOf('b0b'), BY_HAND)
      const outcome = async (name: string, now = NOON) =>
        (await store.claimName(aClaim(name, { pubkey, now, paid: true }))).outcome
      expect(await outcome('carol')).toBe('unpaid')
      expect(await outcome('b-o-b')).toBe('reserved')
      await store.unreserve('b0b', BY_HAND)
      expect(await outcome('b-o-b')).toBe('taken')
      await store.releaseName({ name: 'alice', pubkey, now: NOON, cooldownMs: SECOND })
      await store.assign(shapeOf('alice'), { ...BY_HAND, pubkey, replace: false })
      expect(await outcome('b4nk')).toBe('cooldown')
      await store.suspend('alice', { ...BY_HAND, suspended: true })
      expect(await outcome('b4nk')).toBe('suspended')
      expect(await outcome('alice')).toBe('held')
      expect(await store.nameOfKey(pubkey)).toMatchObject({ name: 'alice' })
      expect(await store.cooldownUntil(pubkey)).toBe(NOON + SECOND)
    })

    test('one payment never yields two names', async () => {
      const store = await open()
      const grant = aGrant()
      await store.saveGrant(grant, null)
      const claim = (name: string) => store.claimName(aClaim(name, { pubkey: grant.pubkey, paid: true, cooldownMs: 0 }))
      expect(await claim('alice')).toEqual({ outcome: 'unpaid' })
      await store.settleGrant(grant.invoiceId, NOON)
      const answers = await Promise.all(['alice', 'carol', 'dave'].map(claim))
      expect(answers.map(({ outcome }) => outcome)).toEqual(['claimed', 'unpaid', 'unpaid'])
      expect(await store.grant(grant.pubkey, 'name')).toBeUndefined()
    })

    test('a claim that is refused does not spend the payment; one of the held name neither', async () => {
      const store = await open()
      await holderOf(store, 'bob')
      const grant = aGrant()
      await store.saveGrant(grant, null)
      await store.settleGrant(grant.invoiceId, NOON)
      const { pubkey } = grant
      expect(await store.claimName(aClaim('bob', { pubkey, paid: true }))).toEqual({ outcome: 'taken' })
      await store.claimName(aClaim('alice', { pubkey }))
      expect(await store.claimName(aClaim('alice', { pubkey, paid: true }))).toEqual({ outcome: 'held' })
      expect((await store.grant(pubkey, 'name'))?.status).toBe('paid')
    })
  })
}
