import { describe, expect, test } from 'vitest'
import { aClaim, aGrant, aKey } from '../../../support/name-builders.js'
import { grin, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

export function describeGrants(open: OpenNames): void {
  describe('grants', () => {
    test('the first grant of a key and resource stays; a later caller gets it', async () => {
      const store = await open()
      const first = aGrant({ amount: grin(2 ** 33) })
      expect(await store.saveGrant(first, null)).toEqual(first)
      expect(await store.saveGrant(aGrant({ pubkey: first.pubkey, serial: 2 }), null)).toEqual(first)
      expect(await store.saveGrant(aGrant({ pubkey: first.pubkey, serial: 2 }), 'another invoice')).toEqual(first)
      expect(await store.grant(first.pubkey, 'name')).toEqual(first)
      expect(await store.grantOfInvoice(first.invoiceId)).toEqual(first)
      expect(await store.lastSerial(first.pubkey, 'name')).toBe(1)
    })

    test('a hundred that are saved at once for one key are one', async () => {
      const store = await open()
      const pubkey = aKey()
      const answers = await Promise.all(Array.from({ length: 100 }, () => store.saveGrant(aGrant({ pubkey }), null)))
      expect(new Set(answers.map((stored) => stored !== 'serial-used' && stored.invoiceId)).size).toBe(1)
      expect((await store.listGrants({}, 10)).items).toHaveLength(1)
    })

    test('the resources of a key are apart', async () => {
      const store = await open()
      const name = aGrant()
      const write = aGrant({ pubkey: name.pubkey, resource: 'write', serial: 7 })
      await store.saveGrant(name, null)
      expect(await store.saveGrant(write, null)).toEqual(write)
      expect(await store.grant(name.pubkey, 'name')).toEqual(name)
      expect(await store.lastSerial(name.pubkey, 'write')).toBe(7)
    })

    test('a dead invoice is replaced by a caller that names it, once', async () => {
      const store = await open()
      const dead = aGrant()
      const next = aGrant({ pubkey: dead.pubkey, serial: 2 })
      const rival = aGrant({ pubkey: dead.pubkey, serial: 2 })
      await store.saveGrant(dead, null)
      const answers = await Promise.all([next, rival].map((grant) => store.saveGrant(grant, dead.invoiceId)))
      expect(answers).toEqual([next, next])
      expect(await store.grantOfInvoice(dead.invoiceId)).toBeUndefined()
      expect(await store.lastSerial(dead.pubkey, 'name')).toBe(2)
    })

    test('a paid grant is not replaced', async () => {
      const store = await open()
      const grant = aGrant()
      await store.saveGrant(grant, null)
      await store.settleGrant(grant.invoiceId, NOON + SECOND)
      const paid = { ...grant, status: 'paid', paidAt: NOON + SECOND }
      expect(await store.saveGrant(aGrant({ pubkey: grant.pubkey }), grant.invoiceId)).toEqual(paid)
    })

    test('settling is repeatable and keeps the first time', async () => {
      const store = await open()
      const grant = aGrant()
      expect(await store.settleGrant(grant.invoiceId, NOON)).toBe('unknown')
      await store.saveGrant(grant, null)
      expect(await store.settleGrant(grant.invoiceId, NOON)).toBe('paid')
      expect(await store.settleGrant(grant.invoiceId, NOON + SECOND)).toBe('paid')
      expect((await store.grant(grant.pubkey, 'name'))?.paidAt).toBe(NOON)
    })

    test('a serial is remembered after the grant is spent or taken away', async () => {
      const store = await open()
      const grant = aGrant({ serial: 3 })
      const { pubkey } = grant
      expect(await store.lastSerial(pubkey, 'name')).toBe(0)
      await store.saveGrant(grant, null)
      await store.settleGrant(grant.invoiceId, NOON)
      await store.claimName(aClaim('alice', { pubkey, paid: true }))
      expect(await store.lastSerial(pubkey, 'name')).toBe(3)
      const again = aGrant({ pubkey, serial: 4 })
      await store.saveGrant(again, null)
      expect(await store.voidGrant(again.invoiceId, { reason: 'double', now: NOON })).toBe('voided')
      expect(await store.lastSerial(pubkey, 'name')).toBe(4)
    })

    test('a serial is stored once: not again after its grant was spent, taken away or replaced', async () => {
      const store = await open()
      const grant = aGrant({ serial: 3 })
      const again = aGrant({ pubkey: grant.pubkey, serial: 3 })
      await store.saveGrant(grant, null)
      expect(await store.saveGrant(again, grant.invoiceId)).toBe('serial-used')
      expect(await store.grant(grant.pubkey, 'name')).toEqual(grant)
      await store.voidGrant(grant.invoiceId, { reason: 'double', now: NOON })
      expect(await store.saveGrant(again, null)).toBe('serial-used')
      expect(await store.grant(grant.pubkey, 'name')).toBeUndefined()
      expect(await store.saveGrant({ ...again, serial: 4 }, null)).toEqual({ ...again, serial: 4 })
    })

    test('an invoice whose grant is gone is never stored again, for any key', async () => {
      const store = await open()
      const [spent, voided, replaced] = [aGrant(), aGrant(), aGrant()]
      for (const grant of [spent, voided, replaced]) await store.saveGrant(grant, null)
      await store.settleGrant(spent.invoiceId, NOON)
      await store.claimName(aClaim('alice', { pubkey: spent.pubkey, paid: true }))
      await store.voidGrant(voided.invoiceId, { reason: 'double', now: NOON })
      await store.saveGrant(aGrant({ pubkey: replaced.pubkey, serial: 2 }), replaced.invoiceId)
      for (const { invoiceId, pubkey } of [spent, voided, replaced]) {
        expect(await store.saveGrant(aGrant({ invoiceId }), null)).toBe('serial-used')
        expect(await store.saveGrant(aGrant({ invoiceId, pubkey, resource: 'write' }), null)).toBe('serial-used')
        expect(await store.grantOfInvoice(invoiceId)).toBeUndefined()
      }
    })

    test('pending ones since a time, newest first', async () => {
      const store = await open()
      const grants = [0, 1, 2, 3].map((i) => aGrant({ createdAt: NOON + i * SECOND }))
      for (const grant of grants) await store.saveGrant(grant, null)
      await store.settleGrant(grants[2]?.invoiceId ?? '', NOON)
      expect(await store.pendingGrants(NOON + SECOND, 10)).toEqual([grants[3], grants[1]])
      expect(await store.pendingGrants(NOON, 2)).toEqual([grants[3], grants[1]])
    })

    test('an invoice belongs to one key', async () => {
      const store = await open()
      const grant = aGrant()
      await store.saveGrant(grant, null)
      await expect(store.saveGrant(aGrant({ invoiceId: grant.invoiceId }), null)).rejects.toThrow(/unique/i)
    })
  })
}
