// The refusals of a new offer (specification: names, 10.2), each with everything after it wrong as well: the order is part of the contract.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nanoGrinOf, wholeNumberOf } from '../../../src/authority/transfers/offer.js'
import {
  addressOf,
  bodyOf,
  createSale,
  offerEvent,
  offerTags,
  PRICE,
  saidBy,
  seedOf,
  seller,
  stranger,
} from '../../support/name-transfer.js'

async function saleOfAda() {
  const sale = createSale()
  await sale.give('ada')
  return sale
}

describe('what is no offer', () => {
  const text = (body: string) => new TextEncoder().encode(body)
  test.each([
    ['nothing', text('')],
    ['no JSON', text('{"offer":')],
    ['bytes that are no UTF-8', Uint8Array.of(0x7b, 0xff, 0x7d)],
    ['a list', text('[]')],
    ['a list with the event', text('[{"offer":{}}]')],
    ['no offer member', text('{}')],
    ['null', text('{"offer":null}')],
    ['a text', text('{"offer":"event"}')],
    ['half an event', text('{"offer":{"kind":3402}}')],
  ])('%s is refused', async (_, body) => {
    const { transfers } = await saleOfAda()
    expect(await saidBy(transfers.createOffer(seller, body))).toBe('400 invalid offer')
  })

  test('an event of another kind, and one of a stranger with a broken signature, are no offers before anything else', async () => {
    const sale = createSale()
    const now = sale.clock.now()
    expect(await sale.createOffer(offerEvent(now, { kind: 1, from: stranger }))).toBe('400 invalid offer')
    const event = offerEvent(now, { from: stranger })
    expect(
      await sale.createOffer({ ...event, sig: event.sig.replace(/^./, (first) => (first === '0' ? '1' : '0')) }),
    ).toBe('400 invalid offer')
    expect(await sale.createOffer({ ...event, content: 'changed' })).toBe('400 invalid offer')
    expect(await sale.createOffer(offerEvent(now, { tags: [...offerTags(now), []] }))).toBe('400 invalid offer')
  })

  test('each single changed letter of the event is noticed', async () => {
    const sale = await saleOfAda()
    const event = offerEvent(sale.clock.now())
    for (const member of ['id', 'pubkey', 'sig'] as const)
      for (const at of [0, 31, 63])
        expect(
          await sale.createOffer({
            ...event,
            [member]: `${event[member].slice(0, at)}${event[member][at] === 'a' ? 'b' : 'a'}${event[member].slice(at + 1)}`,
          }),
        ).toBe('400 invalid offer')
  })
})

test('the key of the event is compared with the signer before its tags are looked at', async () => {
  const sale = createSale()
  const event = offerEvent(sale.clock.now(), { from: stranger, tags: [] })
  expect(await sale.createOffer(event, seller)).toBe('401 auth pubkey does not match offer pubkey')
  expect(await sale.createOffer(event, stranger)).toBe('400 invalid offer')
})

test('malformed tags are reported before the holder is checked', async () => {
  const sale = createSale()
  const now = sale.clock.now()
  expect(await sale.createOffer(offerEvent(now, { tags: offerTags(now, { price: '1.5' }) }))).toBe('400 invalid offer')
  expect(await sale.createOffer(offerEvent(now))).toBe('403 not the owner')
})

test('of repeated tags the last one counts, even when it is empty', async () => {
  const sale = await saleOfAda()
  const now = sale.clock.now()
  const tags = offerTags(now)
  expect(await sale.createOffer(offerEvent(now, { tags: [...tags, ['price']] }))).toBe('400 invalid offer')
  expect(await sale.createOffer(offerEvent(now, { tags: [...tags, ['price', 'much']] }))).toBe('400 invalid offer')
  const event = offerEvent(now, { tags: [['price', 'much'], ['name'], ...tags] })
  expect(await sale.createOffer(event)).toMatchObject({ offerId: event.id })
  expect((await sale.store.offer(event.id))?.price).toBe(PRICE)
})

test('a key that holds another name, or held this one, is not its owner', async () => {
  const sale = await saleOfAda()
  await sale.give('other', stranger)
  const now = sale.clock.now()
  expect(await sale.createOffer(offerEvent(now, { from: stranger }), stranger)).toBe('403 not the owner')
  await sale.store.releaseName({ name: 'ada', pubkey: seller.pubkey, now, cooldownMs: 0 })
  expect(await sale.createOffer(offerEvent(now))).toBe('403 not the owner')
})

test('a suspended name is not for sale', async () => {
  const sale = await saleOfAda()
  await sale.suspend('ada')
  expect(await sale.createOffer(offerEvent(sale.clock.now()))).toBe('403 name suspended')
})

test('a name has one live offer, an address one live sale; what was lodged is never lodged again', async () => {
  const sale = await saleOfAda()
  await sale.give('bob', stranger)
  const now = sale.clock.now()
  const first = offerEvent(now)
  expect(await sale.createOffer(first)).toMatchObject({ name: 'ada' })
  const elsewhere = { proof_address: addressOf(seedOf(0x44)) }
  expect(await sale.createOffer(offerEvent(now, { tags: offerTags(now, elsewhere) }))).toBe('409 offer_exists')
  const bobs = (changed: Record<string, string>) =>
    offerEvent(now, { from: stranger, tags: offerTags(now, { name: 'bob', ...changed }) })
  expect(await sale.createOffer(bobs({ price: '7' }), stranger)).toBe('409 offer_ambiguous')
  expect(await sale.createOffer(bobs(elsewhere), stranger)).toMatchObject({ name: 'bob' })
  await sale.revoke(first.id)
  expect(await sale.createOffer(first)).toBe('409 offer_exists')
  expect(await sale.createOffer(offerEvent(now))).toMatchObject({ name: 'ada' })
})

test('an offer that lapsed and that no client read does not block the next one', async () => {
  const sale = await saleOfAda()
  const lapsed = await sale.offered()
  await sale.clock.advance(3_600_000)
  expect(await sale.createOffer(offerEvent(sale.clock.now()))).toBe('409 offer_exists')
  await sale.clock.advance(1000)
  await sale.offered()
  expect(await sale.status(lapsed)).toBe('expired')
})

test('the store hears of a lodged offer what the event says', async () => {
  const sale = await saleOfAda()
  const event = offerEvent(sale.clock.now())
  await sale.createOffer(event)
  const { id, name, status, createdAt, stateChangedAt } = (await sale.store.offer(event.id)) ?? {}
  const now = sale.clock.now()
  expect({ id, name, status, createdAt, stateChangedAt }).toEqual({
    id: event.id,
    name: 'ada',
    status: 'live',
    createdAt: now,
    stateChangedAt: now,
  })
  expect(await saidBy(sale.transfers.read(event.id))).toEqual({ event, status: 'live' })
})

describe('numbers in tags', () => {
  test('every unsigned 64-bit number is read as it is written', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => wholeNumberOf(`${value}`) === value))
  })

  test.each([' 5 ', '+5', '005', '\t5\n', `${'0'.repeat(5000)}5`])('%j is five', (text) => {
    expect(nanoGrinOf(text)).toBe(5n)
  })

  test.each(['', ' ', '+', '-5', '5.0', '1e3', '0x5', '5 5', '++5', '٥', '18446744073709551616', '9'.repeat(5000)])(
    '%j is no number',
    (text) => expect(wholeNumberOf(text)).toBeUndefined(),
  )

  test('no text makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => wholeNumberOf(text) === undefined || /\d/.test(text)),
    )
  })
})

test('whatever is sent, an offer is taken or refused in the words of the specification', async () => {
  const sale = await saleOfAda()
  const said = async (value: unknown) => saidBy(sale.transfers.createOffer(seller, bodyOf(value)))
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await said(value)).toBe('400 invalid offer')
      expect(await said({ offer: value })).toBe('400 invalid offer')
    }),
    { numRuns: 200 },
  )
})
