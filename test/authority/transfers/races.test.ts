// Sales that meet in the real database, from two programs at once: a name is sold once, a payment buys one name.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenNameStore, openNameStore } from '../../../src/storage/index.js'
import {
  addressOf,
  buyer,
  createSale,
  excessOf,
  offerEvent,
  offerTags,
  proofJson,
  seedOf,
  seller,
  stranger,
} from '../../support/name-transfer.js'
import { openTemporaryNames } from '../../support/temporary-store.js'
import { NOON } from '../../support/till-builders.js'

const ROUNDS = 12

let here: ReturnType<typeof createSale>
let there: ReturnType<typeof createSale>
let clean: () => Promise<void>
beforeEach(async () => {
  const { store, path, remove } = await openTemporaryNames()
  const other: OpenNameStore = await openNameStore({ path, now: () => NOON })
  here = createSale(store)
  there = createSale(other)
  clean = async () => {
    await other.close()
    await remove()
  }
})
afterEach(() => clean())

let drawn = 0
const freshExcess = () => excessOf(drawn).replace(/^08..../, `08${(++drawn).toString(16).padStart(4, '0')}`)
const freshSeed = () =>
  seedOf(0x11)
    .fill(++drawn % 256, 0, 1)
    .fill(drawn >> 8, 1, 2)

/** Mined, as both programs see it. */
function paid(excess: string): string {
  for (const { mined } of [here, there]) mined(excess)
  return excess
}

/** Who holds what at the end of a round, and no one holds a name at the beginning of the next. */
async function emptyHands(): Promise<void> {
  for (const { pubkey } of [seller, buyer, stranger]) {
    const held = await here.store.nameOfKey(pubkey)
    if (held) await here.store.releaseName({ name: held.name, pubkey, now: NOON, cooldownMs: 0 })
  }
}

/** A name of the seller's on offer, in a round that begins with empty hands; the owner of the seed `recipient` is paid. */
async function offeredIn(round: number) {
  const name = `ada${round}`
  await emptyHands()
  await here.give(name)
  const recipient = freshSeed()
  return { name, recipient, id: await here.offered({ name, proof_address: addressOf(recipient) }) }
}

const isSold = (answer: unknown): boolean => typeof answer === 'object'

test('of copies of one claim one moves the name, and all are answered with it', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { recipient, id } = await offeredIn(round)
    const proof = proofJson({ recipient, excess: paid(freshExcess()) })
    const answers = await Promise.all([here, there, here, there, here].map(({ claim }) => claim(id, proof)))
    expect(answers.filter((answer) => isSold(answer) && typeof answer === 'object' && answer.isNew)).toHaveLength(1)
    expect(answers.filter(isSold)).toHaveLength(5)
  }
})

test('of two payments of one offer one buys it, the other is answered that it is sold', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { recipient, id } = await offeredIn(round)
    const proofs = [freshExcess(), freshExcess()].map((excess) => proofJson({ recipient, excess: paid(excess) }))
    const answers = await Promise.all([here, there].map(({ claim }, at) => claim(id, proofs[at])))
    expect(answers.filter(isSold)).toHaveLength(1)
    expect(answers).toContain('409 offer_consumed')
  }
})

test('one payment for two offers of one address buys one name', async () => {
  const fourth = { ...buyer, pubkey: 'f'.repeat(64) }
  for (let round = 0; round < ROUNDS; round++) {
    await emptyHands()
    const own = await here.store.nameOfKey(fourth.pubkey)
    if (own) await here.store.releaseName({ name: own.name, pubkey: fourth.pubkey, now: NOON, cooldownMs: 0 })
    await here.give(`ada${round}`, seller)
    await here.give(`bob${round}`, stranger)
    const recipient = freshSeed()
    const proof_address = addressOf(recipient)
    const first = await here.offered({ name: `ada${round}`, proof_address })
    await here.revoke(first)
    const second = await here.offered({ proof_address, name: `bob${round}`, p: fourth.pubkey }, stranger)
    const proof = proofJson({ recipient, excess: paid(freshExcess()) })
    const claims = [() => here.claim(first, proof, buyer), () => there.claim(second, proof, fourth)]
    const order = round % 2 === 0 ? claims : claims.toReversed()
    const answers = await Promise.all(order.map((run) => run()))
    expect(answers.filter(isSold)).toHaveLength(1)
    expect(answers).toContain('409 proof_reused')
  }
})

test('two names bought at once by one key: one is handed over, the other waits', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await emptyHands()
    await here.give(`ada${round}`, seller)
    await here.give(`bob${round}`, stranger)
    const [one, two] = [freshSeed(), freshSeed()]
    const first = await here.offered({ name: `ada${round}`, proof_address: addressOf(one) })
    const second = await here.offered({ proof_address: addressOf(two), name: `bob${round}` }, stranger)
    const proofs = [one, two].map((recipient) => proofJson({ recipient, excess: paid(freshExcess()) }))
    const answers = await Promise.all([here.claim(first, proofs[0]), there.claim(second, proofs[1])])
    expect(answers.filter(isSold)).toHaveLength(1)
    expect(answers).toContain('409 pubkey already has a name')
    const held = await here.store.nameOfKey(buyer.pubkey)
    await here.store.releaseName({ name: held?.name ?? '', pubkey: buyer.pubkey, now: NOON, cooldownMs: 0 })
    const [late, proof] = held?.name === `ada${round}` ? [second, proofs[1]] : [first, proofs[0]]
    expect(await here.claim(late, proof)).toMatchObject({ isNew: true })
  }
})

test('a claim and a revocation at once: both answers agree with who holds the name', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { name, recipient, id } = await offeredIn(round)
    const proof = proofJson({ recipient, excess: paid(freshExcess()) })
    const [claimed, revoked] = await Promise.all([here.claim(id, proof), there.revoke(id)])
    expect(isSold(claimed)).toBe(true)
    expect([undefined, '409 offer_consumed']).toContain(revoked)
    expect(await here.status(id)).toBe('consumed')
    expect((await here.store.activeName(name))?.pubkey).toBe(buyer.pubkey)
  }
})

test('a claim and a release at once: the name is sold or gone, never both', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { name, recipient, id } = await offeredIn(round)
    const proof = proofJson({ recipient, excess: paid(freshExcess()) })
    const release = { name, pubkey: seller.pubkey, now: NOON, cooldownMs: 0 }
    const [claimed, released] = await Promise.all([here.claim(id, proof), there.store.releaseName(release)])
    if (released === 'released') expect(claimed).toBe('409 owner_changed')
    else expect([released, isSold(claimed)]).toEqual(['not-owner', true])
  }
})

test('of many offers of one name lodged at once one is stored', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    await emptyHands()
    await here.give(`ada${round}`)
    const events = Array.from({ length: 6 }, () =>
      offerEvent(NOON, { tags: offerTags(NOON, { name: `ada${round}`, proof_address: addressOf(freshSeed()) }) }),
    )
    const answers = await Promise.all(events.map((event, at) => (at % 2 ? here : there).createOffer(event)))
    expect(answers.filter(isSold)).toHaveLength(1)
    expect(answers.filter((answer) => answer === '409 offer_exists')).toHaveLength(5)
    for (const answer of answers) if (typeof answer === 'object') await here.revoke(answer.offerId)
  }
})
