import { describe, expect, test } from 'vitest'
import { type Offer, type OperatorStore, shapeOf, type TransferClaim } from '../../../../src/authority/index.js'
import { aClaim, aKey, anOffer, COOLDOWN, holderOf } from '../../../support/name-builders.js'
import { freshHex, MINUTE, NOON } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

const aSale = (offer: Offer, over: Partial<TransferClaim> = {}): TransferClaim => ({
  offerId: offer.id,
  kernelExcess: freshHex(66),
  kernelHeight: 77,
  now: NOON + MINUTE,
  cooldownMs: COOLDOWN,
  ...over,
})

async function offered(store: OperatorStore, name = 'alice', over: Partial<Offer> = {}): Promise<Offer> {
  const offer = anOffer(name, { seller: await holderOf(store, name), ...over })
  await store.createOffer(offer)
  return offer
}

export function describeSales(open: OpenNames): void {
  describe('sales', () => {
    test('a sale moves the name, keeps the kernel, consumes the offer and arms the cooldown of the seller', async () => {
      const store = await open()
      const offer = await offered(store)
      const { name, seller, buyer, price } = offer
      const sale = aSale(offer)
      const { kernelExcess } = sale
      const transfer = { offerId: offer.id, name, seller, buyer, price, kernelExcess, kernelHeight: 77 }
      const done = { ...transfer, claimedAt: NOON + MINUTE }
      expect(await store.transferName(sale)).toEqual({ outcome: 'transferred', transfer: done })
      expect(await store.activeName(name)).toMatchObject({ name, pubkey: buyer })
      expect(await store.nameOfKey(seller)).toBeUndefined()
      expect((await store.nameOfKey(buyer))?.name).toBe(name)
      expect(await store.transferOf(offer.id)).toEqual(done)
      expect(await store.offer(offer.id)).toEqual({ ...offer, status: 'consumed', stateChangedAt: NOON + MINUTE })
      expect(await store.cooldownUntil(seller)).toBe(NOON + MINUTE + COOLDOWN)
      expect(await store.cooldownUntil(buyer)).toBe(0)
      expect(await store.transferName(aSale(offer))).toEqual({ outcome: 'consumed' })
    })

    test('a consumed offer ends no other way', async () => {
      const store = await open()
      const offer = await offered(store)
      await store.transferName(aSale(offer))
      const end = { status: 'revoked', endHeight: 5, now: NOON } as const
      expect((await store.endOffer(offer.id, end))?.status).toBe('consumed')
    })

    test('of many claims at once one is carried out', async () => {
      const store = await open()
      const offer = await offered(store)
      const answers = await Promise.all(Array.from({ length: 50 }, () => store.transferName(aSale(offer))))
      expect(answers.map(({ outcome }) => outcome).sort()).toEqual([...Array(49).fill('consumed'), 'transferred'])
    })

    test('one kernel pays for one sale, even of two that are claimed at once', async () => {
      const store = await open()
      const offers = [await offered(store, 'alice'), await offered(store, 'bob')]
      const kernelExcess = freshHex(66)
      const answers = await Promise.all(offers.map((offer) => store.transferName(aSale(offer, { kernelExcess }))))
      expect(answers.map(({ outcome }) => outcome)).toEqual(['transferred', 'proof-reused'])
      expect((await store.offer(offers[1]?.id ?? ''))?.status).toBe('live')
      expect((await store.activeName('bob'))?.pubkey).toBe(offers[1]?.seller)
    })

    test('a name that went elsewhere is not sold, also not when the seller holds another one', async () => {
      const store = await open()
      const offer = await offered(store)
      await store.claimName(aClaim('carol', { pubkey: offer.seller }))
      expect(await store.transferName(aSale(offer))).toEqual({ outcome: 'owner-changed' })
      await holderOf(store, 'alice')
      expect(await store.transferName(aSale(offer))).toEqual({ outcome: 'owner-changed' })
    })

    test('the answer to a buyer who holds a name says which; the cooldown of the buyer does not count', async () => {
      const store = await open()
      const buyer = await holderOf(store, 'carol')
      const offer = await offered(store, 'alice', { buyer })
      expect(await store.transferName(aSale(offer))).toEqual({ outcome: 'has-name', name: 'carol' })
      await store.releaseName({ name: 'carol', pubkey: buyer, now: NOON, cooldownMs: COOLDOWN })
      expect(await store.transferName(aSale(offer))).toMatchObject({ outcome: 'transferred' })
    })

    test('of several refusals the first of the order counts', async () => {
      const store = await open()
      const buyer = aKey()
      const first = await offered(store, 'alice', { buyer })
      const second = await offered(store, 'bob', { buyer })
      const kernelExcess = freshHex(66)
      await store.transferName(aSale(first, { kernelExcess }))
      const again = () => store.transferName(aSale(second, { kernelExcess }))
      expect(await again()).toEqual({ outcome: 'proof-reused' })
      await store.suspend('bob', { suspended: true, reason: 'fraud', now: NOON })
      expect(await again()).toEqual({ outcome: 'suspended' })
      await store.evict(shapeOf('bob'), { reserve: false, reason: 'fraud', now: NOON })
      expect(await again()).toEqual({ outcome: 'owner-changed' })
    })

    test('a suspended name is not sold', async () => {
      const store = await open()
      const offer = await offered(store)
      await store.suspend('alice', { suspended: true, reason: 'fraud', now: NOON })
      expect(await store.transferName(aSale(offer))).toEqual({ outcome: 'suspended' })
    })

    test('what was refused can be claimed when the reason is gone', async () => {
      const store = await open()
      const offer = await offered(store)
      await store.endOffer(offer.id, { status: 'expired', endHeight: 80, now: NOON })
      expect(await store.transferName(aSale({ ...offer, id: aKey() }))).toEqual({ outcome: 'unknown' })
      // Dead, and within the grace the service grants.
      expect(await store.transferName(aSale(offer))).toMatchObject({ outcome: 'transferred' })
      expect(await store.offer(offer.id)).toMatchObject({ status: 'consumed', endHeight: 80 })
    })
  })
}
