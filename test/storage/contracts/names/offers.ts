import { describe, expect, test } from 'vitest'
import { aClaim, aKey, anOffer, holderOf } from '../../../support/name-builders.js'
import { grin, HOUR, MINUTE, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

export function describeOffers(open: OpenNames): void {
  describe('offers', () => {
    test('an offer reads back as it was lodged', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const offer = anOffer('alice', { seller, price: grin(2 ** 33) })
      expect(await store.createOffer(offer)).toBe('stored')
      expect(await store.offer(offer.id)).toEqual(offer)
      expect(await store.offer(aKey())).toBeUndefined()
      expect(await store.offer('no id')).toBeUndefined()
    })

    test('only the present holder can lodge, and not while the name is suspended', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      expect(await store.createOffer(anOffer('alice'))).toBe('not-owner')
      expect(await store.createOffer(anOffer('bob', { seller }))).toBe('not-owner')
      await store.suspend('alice', { suspended: true, reason: 'fraud', now: NOON })
      expect(await store.createOffer(anOffer('alice', { seller }))).toBe('suspended')
      expect(await store.createOffer(anOffer('alice'))).toBe('not-owner')
    })

    test('one live offer per name, one per address, each event once', async () => {
      const store = await open()
      const [seller, other] = [await holderOf(store, 'alice'), await holderOf(store, 'bob')]
      const offer = anOffer('alice', { seller })
      await store.createOffer(offer)
      expect(await store.createOffer(anOffer('alice', { seller }))).toBe('offer-exists')
      const { proofAddress } = offer
      expect(await store.createOffer(anOffer('bob', { seller: other, proofAddress }))).toBe('offer-ambiguous')
      await store.endOffer(offer.id, { status: 'revoked', endHeight: 5, now: NOON })
      expect(await store.createOffer(offer)).toBe('offer-exists')
      expect(await store.createOffer(anOffer('bob', { seller: other, proofAddress }))).toBe('stored')
      expect(await store.createOffer(anOffer('alice', { seller }))).toBe('stored')
    })

    test('of a hundred that are lodged at once for one name, one is stored', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const lodging = Array.from({ length: 100 }, () => store.createOffer(anOffer('alice', { seller })))
      expect((await Promise.all(lodging)).filter((answer) => answer === 'stored')).toHaveLength(1)
    })

    test('an offer past its expiration blocks nothing; in its last second it still does', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const old = anOffer('alice', { seller })
      await store.createOffer(old)
      const { proofAddress } = old
      const later = (createdAt: number) =>
        anOffer('alice', { seller, proofAddress, createdAt, expiration: (NOON + HOUR) / 1000 })
      expect(await store.createOffer(later(NOON + MINUTE + SECOND - 1))).toBe('offer-exists')
      expect(await store.createOffer(later(NOON + MINUTE + SECOND))).toBe('stored')
    })

    test('an end is recorded once; a revocation of an expired offer keeps it', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const offer = anOffer('alice', { seller })
      await store.createOffer(offer)
      const end = { endHeight: 100, now: NOON + MINUTE }
      const expired = { ...offer, status: 'expired', endHeight: 100, stateChangedAt: NOON + MINUTE }
      expect(await store.endOffer(offer.id, { status: 'expired', ...end })).toEqual(expired)
      expect(await store.endOffer(offer.id, { status: 'expired', endHeight: 200, now: NOON + HOUR })).toEqual(expired)
      const revoked = { ...expired, status: 'revoked' }
      expect(await store.endOffer(offer.id, { status: 'revoked', endHeight: 200, now: NOON + HOUR })).toEqual(revoked)
      expect(await store.endOffer(offer.id, { status: 'revoked', endHeight: null, now: NOON + HOUR })).toEqual(revoked)
      expect(await store.offer(offer.id)).toEqual(revoked)
      expect(await store.endOffer(aKey(), { status: 'revoked', ...end })).toBeUndefined()
    })

    test('an end without a height is recorded as such', async () => {
      const store = await open()
      const offer = anOffer('alice', { seller: await holderOf(store, 'alice') })
      await store.createOffer(offer)
      const ended = await store.endOffer(offer.id, { status: 'revoked', endHeight: null, now: NOON })
      expect(ended).toMatchObject({ status: 'revoked', endHeight: null })
    })

    test('lapsed are live ones whose last second is over, oldest first', async () => {
      const store = await open()
      const offers = []
      for (const [i, name] of ['alice', 'bob', 'carol', 'dave'].entries()) {
        const offer = anOffer(name, { seller: await holderOf(store, name), expiration: NOON / 1000 + 4 - i })
        await store.createOffer(offer)
        offers.push(offer)
      }
      const [, , carol, dave] = offers
      expect(await store.lapsedOffers(NOON / 1000 + 3, 10)).toEqual([dave, carol])
      expect(await store.lapsedOffers(NOON / 1000 + 9, 1)).toEqual([dave])
      await store.endOffer(dave?.id ?? '', { status: 'expired', endHeight: 1, now: NOON })
      expect(await store.lapsedOffers(NOON / 1000 + 3, 10)).toEqual([carol])
    })

    test('a released name keeps its offer, for a claim to fail on', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const offer = anOffer('alice', { seller })
      await store.createOffer(offer)
      await store.claimName(aClaim('carol', { pubkey: seller }))
      expect((await store.offer(offer.id))?.status).toBe('live')
    })
  })
}
