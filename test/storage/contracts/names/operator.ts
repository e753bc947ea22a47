import { describe, expect, test } from 'vitest'
import { shapeOf } from '../../../../src/authority/index.js'
import { aClaim, aGrant, aKey, COOLDOWN, holderOf } from '../../../support/name-builders.js'
import { NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

const CHANGE = { reason: 'asked by mail', now: NOON + SECOND }

export function describeOperator(open: OpenNames): void {
  describe('the operator', () => {
    test('keeps names back, with what looks like them, and gives them free again', async () => {
      const store = await open()
      expect(await store.reserve(shapeOf('bank'), CHANGE)).toBe('reserved')
      expect(await store.reserve(shapeOf('bank'), CHANGE)).toBe('exists')
      const bank = { name: 'bank', reason: CHANGE.reason, createdAt: CHANGE.now }
      expect(await store.reservedLike(shapeOf('b4nk'))).toEqual(bank)
      expect(await store.reservedLike(shapeOf('banker'))).toBeUndefined()
      expect(await store.claimName(aClaim('b-a-n-k'))).toEqual({ outcome: 'reserved' })
      expect(await store.unreserve('b4nk', CHANGE)).toBe('unknown')
      expect(await store.unreserve('bank', CHANGE)).toBe('unreserved')
      expect(await store.claimName(aClaim('b-a-n-k'))).toMatchObject({ outcome: 'claimed' })
    })

    test('assigns a name: reserved or not, in a cooldown or not', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      await store.releaseName({ name: 'alice', pubkey, now: NOON, cooldownMs: COOLDOWN })
      await store.reserve(shapeOf('bank'), CHANGE)
      const given = { ...CHANGE, pubkey, replace: false }
      expect(await store.assign(shapeOf('bank'), given)).toEqual({ outcome: 'assigned', released: null })
      expect(await store.assign(shapeOf('bank'), given)).toEqual({ outcome: 'held' })
      expect(await store.activeName('bank')).toMatchObject({ pubkey, createdAt: CHANGE.now })
      expect(await store.cooldownUntil(pubkey)).toBe(NOON + COOLDOWN)
    })

    test('does not assign what looks like the name of another key', async () => {
      const store = await open()
      const holder = await holderOf(store, 'alice')
      const answer = await store.assign(shapeOf('a1ice'), { ...CHANGE, pubkey: aKey(), replace: true })
      const by = { name: 'alice', pubkey: holder, createdAt: NOON, suspendedAt: null }
      expect(answer).toEqual({ outcome: 'taken', by })
    })

    test('replaces the name of a key only on request, without a cooldown', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      const given = { ...CHANGE, pubkey, replace: false }
      expect(await store.assign(shapeOf('carol'), given)).toEqual({ outcome: 'has-name', name: 'alice' })
      const replaced = await store.assign(shapeOf('carol'), { ...given, replace: true })
      expect(replaced).toEqual({ outcome: 'assigned', released: 'alice' })
      expect(await store.activeName('alice')).toBeUndefined()
      expect(await store.cooldownUntil(pubkey)).toBe(0)
    })

    test('evicts a holder, keeps the name back on request, and arms no cooldown', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      const change = { ...CHANGE, reserve: true }
      expect(await store.evict(shapeOf('bob'), change)).toEqual({ outcome: 'unknown' })
      const other = await store.evict(shapeOf('alice'), { ...change, holder: aKey() })
      expect(other).toEqual({ outcome: 'other-holder', pubkey })
      expect(await store.evict(shapeOf('alice'), { ...change, holder: pubkey })).toEqual({ outcome: 'evicted', pubkey })
      expect(await store.activeName('alice')).toBeUndefined()
      expect(await store.claimName(aClaim('al1ce'))).toEqual({ outcome: 'reserved' })
      expect(await store.claimName(aClaim('carol', { pubkey }))).toMatchObject({ outcome: 'claimed' })
    })

    test('suspends and resumes a name; a suspended one stays with its holder', async () => {
      const store = await open()
      const pubkey = await holderOf(store, 'alice')
      const suspended = { ...CHANGE, suspended: true }
      expect(await store.suspend('bob', suspended)).toBe('unknown')
      expect(await store.suspend('alice', suspended)).toBe('changed')
      expect(await store.suspend('alice', suspended)).toBe('same')
      expect(await store.activeName('alice')).toMatchObject({ pubkey, suspendedAt: CHANGE.now })
      expect(await store.releaseName({ name: 'alice', pubkey, now: NOON, cooldownMs: 0 })).toBe('suspended')
      expect(await store.claimName(aClaim('al1ce'))).toEqual({ outcome: 'taken' })
      expect(await store.claimName(aClaim('carol', { pubkey }))).toEqual({ outcome: 'suspended' })
      expect(await store.suspend('alice', { ...CHANGE, suspended: false })).toBe('changed')
      expect((await store.activeName('alice'))?.suspendedAt).toBeNull()
      expect(await store.suspend('alice', { ...CHANGE, suspended: false })).toBe('same')
    })

    test('evicting a suspended name leaves nothing suspended behind', async () => {
      const store = await open()
      await holderOf(store, 'alice')
      await store.suspend('alice', { ...CHANGE, suspended: true })
      await store.evict(shapeOf('alice'), { ...CHANGE, reserve: false })
      expect(await store.nameRecord('alice')).toMatchObject({ suspendedAt: null, releasedAt: CHANGE.now })
      await holderOf(store, 'alice')
      expect((await store.activeName('alice'))?.suspendedAt).toBeNull()
    })

    test('voids a grant, pending or paid', async () => {
      const store = await open()
      const grant = aGrant()
      expect(await store.voidGrant(grant.invoiceId, CHANGE)).toBe('unknown')
      await store.saveGrant(grant, null)
      await store.settleGrant(grant.invoiceId, NOON)
      expect(await store.voidGrant(grant.invoiceId, CHANGE)).toBe('voided')
      expect(await store.grant(grant.pubkey, 'name')).toBeUndefined()
    })
  })
}
