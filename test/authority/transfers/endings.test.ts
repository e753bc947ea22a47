// The states of an offer, and the height of the chain that is remembered when it dies (specification: names, 10.3 to 10.5).
import { expect, test } from 'vitest'
import { addressOf, createSale, excessOf, proofJson, seedOf, seller, stranger } from '../../support/name-transfer.js'

const HOUR = 3_600_000

async function saleOfAda() {
  const sale = createSale()
  await sale.give('ada')
  const id = await sale.offered()
  return { ...sale, id, stored: async () => (await sale.store.offer(id)) ?? expect.fail('the offer is gone') }
}

test.each(['', 'x', '0'.repeat(64), 'A'.repeat(64), '../ada'])('there is no offer %j to read or revoke', async (id) => {
  const sale = await saleOfAda()
  expect(await sale.status(id)).toBe('404 not found')
  expect(await sale.revoke(id)).toBe('404 not found')
})

test('an offer lives through the whole second of its expiration', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(HOUR + 999)
  expect(await sale.status(sale.id)).toBe('live')
  await sale.clock.advance(1)
  expect(await sale.status(sale.id)).toBe('expired')
})

test('the first look after it lapsed records the tip and the time, later ones change nothing', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(2 * HOUR)
  const ended = sale.clock.now()
  expect(await sale.status(sale.id)).toBe('expired')
  sale.kernels.tip = 2000
  await sale.clock.advance(HOUR)
  expect(await sale.status(sale.id)).toBe('expired')
  expect(await sale.stored()).toMatchObject({ status: 'expired', endHeight: 1000, stateChangedAt: ended })
  expect(sale.kernels.asked).toBe(1)
})

test('a live offer that is looked at asks no node', async () => {
  const sale = await saleOfAda()
  expect(await sale.status(sale.id)).toBe('live')
  expect(sale.kernels.asked).toBe(0)
})

test('while no node answers, a lapsed offer shows as expired, and its height is recorded once one does', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(2 * HOUR)
  sale.kernels.down = 'node down'
  expect(await sale.status(sale.id)).toBe('expired')
  await sale.sweep()
  expect(await sale.claim(sale.id, proofJson())).toBe('410 offer_expired')
  expect(await sale.stored()).toMatchObject({ status: 'live', endHeight: null })
  sale.kernels.down = undefined
  expect(await sale.status(sale.id)).toBe('expired')
  expect(await sale.stored()).toMatchObject({ status: 'expired', endHeight: 1000 })
})

test('many who look at the same moment ask once', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(2 * HOUR)
  const looks = await Promise.all(Array.from({ length: 50 }, () => sale.status(sale.id)))
  expect(new Set(looks)).toEqual(new Set(['expired']))
  expect(sale.kernels.asked).toBe(1)
})

test('a look waits three seconds for a node that hangs, and nothing is left behind', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(2 * HOUR)
  let answer = (_: number) => {}
  Object.assign(sale.kernels.source, { tip: () => new Promise<number>((resolve) => (answer = resolve)) })
  const look = sale.status(sale.id)
  await sale.clock.advance(0)
  await sale.clock.advance(3000)
  expect(await look).toBe('expired')
  expect(await sale.stored()).toMatchObject({ status: 'live' })
  const next = sale.status(sale.id)
  await sale.clock.advance(0)
  answer(1234)
  expect(await next).toBe('expired')
  expect(await sale.stored()).toMatchObject({ status: 'expired', endHeight: 1234 })
  expect(sale.clock.sleepers()).toBe(0)
})

test('revoking records the tip and the time; repeating it changes nothing', async () => {
  const sale = await saleOfAda()
  const revoked = sale.clock.now()
  expect(await sale.revoke(sale.id)).toBeUndefined()
  sale.kernels.tip = 2000
  await sale.clock.advance(HOUR)
  expect(await sale.revoke(sale.id)).toBeUndefined()
  expect(await sale.status(sale.id)).toBe('revoked')
  expect(await sale.stored()).toMatchObject({ endHeight: 1000, stateChangedAt: revoked })
  expect(sale.logged.filter((text) => text === 'an offer was revoked')).toHaveLength(1)
})

test('revoking works without a node, and then no height is known', async () => {
  const sale = await saleOfAda()
  sale.kernels.down = 'node down'
  expect(await sale.revoke(sale.id)).toBeUndefined()
  expect(await sale.stored()).toMatchObject({ status: 'revoked', endHeight: null })
})

test('only its seller revokes an offer, whichever key holds the name by now', async () => {
  const sale = await saleOfAda()
  expect(await sale.revoke(sale.id, stranger)).toBe('403 not the owner')
  await sale.store.releaseName({ name: 'ada', pubkey: seller.pubkey, now: sale.clock.now(), cooldownMs: 0 })
  await sale.give('ada', stranger)
  expect(await sale.revoke(sale.id, stranger)).toBe('403 not the owner')
  expect(await sale.revoke(sale.id, seller)).toBeUndefined()
})

test('a stranger is refused before the answer says that an offer is sold', async () => {
  const sale = await saleOfAda()
  sale.mined()
  await sale.claim(sale.id, proofJson())
  expect(await sale.revoke(sale.id, stranger)).toBe('403 not the owner')
  expect(await sale.revoke(sale.id)).toBe('409 offer_consumed')
  expect(await sale.status(sale.id)).toBe('consumed')
})

test('an expired offer that is revoked keeps the record of its death', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(2 * HOUR)
  await sale.status(sale.id)
  const { stateChangedAt } = await sale.stored()
  sale.kernels.tip = 2000
  await sale.clock.advance(HOUR)
  expect(await sale.revoke(sale.id)).toBeUndefined()
  expect(await sale.stored()).toMatchObject({ status: 'revoked', endHeight: 1000, stateChangedAt })
  expect(sale.kernels.asked).toBe(1)
})

test('a lapsed offer that no client read is revoked, not expired', async () => {
  const sale = await saleOfAda()
  await sale.clock.advance(2 * HOUR)
  await sale.revoke(sale.id)
  expect(await sale.stored()).toMatchObject({ status: 'revoked', endHeight: 1000 })
})

test('an offer that is sold while the node is asked for the height of its revocation stays sold', async () => {
  const sale = await saleOfAda()
  sale.mined()
  const { tip } = sale.kernels.source
  Object.assign(sale.kernels.source, {
    tip: async () => {
      await sale.claim(sale.id, proofJson())
      return tip()
    },
  })
  expect(await sale.revoke(sale.id)).toBe('409 offer_consumed')
  expect(await sale.status(sale.id)).toBe('consumed')
})

test('the sweep ends what no client reads, with one question, and leaves the rest alone', async () => {
  const sale = createSale()
  const ids: string[] = []
  for (let at = 0; at < 230; at++) {
    const from = { ...seller, pubkey: seller.pubkey }
    await sale.give('ada', from)
    const proof_address = addressOf(
      seedOf(0)
        .fill(at % 256, 0, 1)
        .fill(at >> 8, 1, 2),
    )
    ids.push(await sale.offered({ proof_address }))
    await sale.clock.advance(HOUR + 1000)
  }
  const live = await sale.offered({ proof_address: addressOf(seedOf(0xee)) })
  const before = sale.kernels.asked
  await sale.sweep()
  const ended = await Promise.all(ids.map(async (id) => (await sale.store.offer(id))?.status))
  expect(new Set(ended)).toEqual(new Set(['expired']))
  expect((await sale.store.offer(live))?.status).toBe('live')
  expect(sale.kernels.asked - before).toBeLessThanOrEqual(3)
})

test('the sweep asks no node when nothing lapsed', async () => {
  const sale = await saleOfAda()
  await sale.sweep()
  expect(sale.kernels.asked).toBe(0)
})

test('a payment of before the end is heard after the sweep, one of after it is not', async () => {
  const early = await saleOfAda()
  early.mined(excessOf(0xab))
  await early.clock.advance(2 * HOUR)
  await early.sweep()
  expect(await early.claim(early.id, proofJson())).toMatchObject({ isNew: true })
  const late = await saleOfAda()
  await late.clock.advance(2 * HOUR)
  await late.sweep()
  late.kernels.tip += 10
  late.mined(excessOf(0xab))
  expect(await late.claim(late.id, proofJson())).toBe('410 offer_expired')
})
