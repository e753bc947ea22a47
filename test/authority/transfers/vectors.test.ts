// test/vectors/names: offers and payment proofs that were replayed against the original authority with its clock stopped.
import { expect, test } from 'vitest'
import { createSale, offerTags, seller } from '../../support/name-transfer.js'
import { quickNames } from '../../support/quick-stores.js'
import { vectors } from '../../support/vectors.js'

const offers = vectors('names/offers.json')
const proofs = vectors('names/payment_proofs.json')
// biome-ignore lint/suspicious/noExplicitAny: vectors are read as they are
const offerCases: any[] = offers.cases
// biome-ignore lint/suspicious/noExplicitAny: vectors are read as they are
const proofCases: any[] = proofs.cases
const NOW = offers.now * 1000

test.each(offerCases)('offer: $name', async ({ event, expect: expected }) => {
  const sale = createSale(quickNames(), NOW)
  const holder = { ...seller, pubkey: offers.seller.pubkey }
  await sale.give('ada', holder)
  const { ok, offer_id: offerId, status, error } = expected.grinpay ?? expected
  const tag = (name: string) => event.tags.findLast(([first]: string[]) => first === name)?.[1]
  const answer = await sale.createOffer(event, holder)
  expect(answer).toEqual(ok ? { offerId, name: 'ada', expiresAt: Number(tag('expiration')) } : `${status} ${error}`)
})

test('an offer is stored as it is meant, however it is spelt', async () => {
  const { event } = offerCases.find(({ name }) => name.startsWith('upper-case buyer'))
  const sale = createSale(quickNames(), NOW)
  const holder = { ...seller, pubkey: offers.seller.pubkey }
  await sale.give('ada', holder)
  await sale.createOffer(event, holder)
  expect(await sale.store.offer(event.id)).toMatchObject({
    buyer: offers.buyer.pubkey,
    price: 500_000_000_381n,
    proofAddress: proofs.offer_proof_address,
    expiration: offers.now + 3600,
    status: 'live',
    endHeight: null,
  })
})

test.each(proofCases)('proof: $name', async ({ proof, expect: expected }) => {
  const sale = createSale()
  await sale.give('ada')
  const terms = { price: `${proofs.offer_price_nanogrin}`, proof_address: proofs.offer_proof_address }
  const offerId = await sale.offered(terms)
  sale.kernels.heights.set('08'.padEnd(66, 'ab'), 900)
  const answer = await sale.claim(offerId, proof)
  const STATUS: Record<string, number> = {
    'invalid proof': 400,
    proof_address_mismatch: 409,
    proof_amount_mismatch: 409,
  }
  if (expected === 'ok') expect(answer).toMatchObject({ name: 'ada', isNew: true })
  else expect(answer).toBe(`${STATUS[expected]} ${expected}`)
})

test('every case is run', () => expect([offerCases.length, proofCases.length]).toEqual([33, 17]))

test('the tags of the builders are those of the vectors', () => {
  const names = offerCases[0].event.tags.map(([name]: string[]) => name)
  expect(offerTags(NOW).map(([name]) => name)).toEqual(names)
})
