// Claims, sales, grants and signatures of a name authority, asked for at the same moment on two front ends: one winner each.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Offer } from '../../src/authority/index.js'
import type { SharedNameStore } from '../../src/storage/postgres/names/store.js'
import { aClaim, aGrant, aKey, anOffer, holderOf } from '../support/name-builders.js'
import { type Cluster, startCluster } from '../support/postgres/cluster.js'
import { freshPlace, namesOn } from '../support/postgres/schemas.js'
import { untilAnswered } from '../support/postgres/until-answered.js'
import { freshHex, NOON } from '../support/till-builders.js'

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(() => cluster?.stop())

/** Of each kind of race. */
const [RACES, RIVALS] = [25, 8]

type Fronts = readonly [SharedNameStore, SharedNameStore]

async function twoFronts(): Promise<Fronts> {
  const place = await freshPlace(cluster.url())
  return [await namesOn(place), await namesOn(place)]
}

/** All at once, every other one on the other front end, each repeated as a client repeats what was answered with 503. */
const race = <T>(fronts: Fronts, ask: (front: SharedNameStore, rival: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: RIVALS }, (_, rival) => untilAnswered(() => ask(fronts[rival % 2 ? 1 : 0], rival))))

const sorted = (outcomes: readonly string[]): readonly string[] => [...outcomes].sort()
const oneOf = (winner: string, others: string): readonly string[] =>
  sorted([winner, ...Array<string>(RIVALS - 1).fill(others)])

const saleOf = ({ id: offerId }: Offer, kernelExcess = freshHex(66)) => ({
  ...{ offerId, kernelExcess, kernelHeight: 7, now: NOON, cooldownMs: 1000 },
})

test('of eight look-alikes that are claimed at once on two front ends, one is given away', async () => {
  const [one, two] = await twoFronts()
  const started = performance.now()
  const took: number[] = []
  const outcomes = await Promise.all(
    Array.from({ length: 100 }, (_, name) =>
      Promise.all(
        Array.from({ length: 8 }, async (_, at) => {
          // Digits look like letters: each of the eight looks like the seven others.
          const disguise = [...at.toString(2).padStart(3, '0')]
            .map((bit, i) => (bit === '1' ? '013' : 'oie')[i])
            .join('')
          const begun = performance.now()
          const answer = await untilAnswered(() => (at % 2 ? one : two).claimName(aClaim(`n${name}x${disguise}`)))
          took.push(performance.now() - begun)
          return answer.outcome
        }),
      ),
    ),
  )
  const winners = outcomes.map((group) => group.filter((outcome) => outcome === 'claimed').length)
  expect(winners).toEqual(Array.from({ length: 100 }, () => 1))
  expect(new Set(outcomes.flat())).toEqual(new Set(['claimed', 'taken']))
  expect((await one.totals()).names).toBe(100)
  took.sort((a, b) => a - b)
  console.log({ seconds: (performance.now() - started) / 1000, p50: took[400], p99: took[791] })
})

test('of different names that are claimed at once on one front end, none is refused', async () => {
  const front = await namesOn(await freshPlace(cluster.url()))
  const begun = performance.now()
  const answers = await Promise.all(Array.from({ length: 320 }, (_, at) => front.claimName(aClaim(`own${at}`))))
  console.log({ claimsPerSecond: (320 * 1000) / (performance.now() - begun) })
  expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['claimed']))
})

test('of eight offers of one name one is stored', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const seller = await holderOf(fronts[0], `name${at}`)
    const outcomes = await race(fronts, (front) => front.createOffer(anOffer(`name${at}`, { seller })))
    expect(sorted(outcomes)).toEqual(oneOf('stored', 'offer-exists'))
  }
  expect((await fronts[0].totals()).openOffers).toBe(RACES)
})

test('of eight claims of one sale one is carried out, and the name has one holder', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const offer = anOffer(`sold${at}`, { seller: await holderOf(fronts[0], `sold${at}`) })
    await fronts[0].createOffer(offer)
    const answers = await race(fronts, (front) => front.transferName(saleOf(offer)))
    expect(sorted(answers.map(({ outcome }) => outcome))).toEqual(oneOf('transferred', 'consumed'))
    const done = answers.find((answer) => answer.outcome === 'transferred')
    expect(await fronts[1].transferOf(offer.id)).toEqual(done?.transfer)
    expect((await fronts[1].activeName(offer.name))?.pubkey).toBe(offer.buyer)
  }
  expect((await fronts[0].totals()).names).toBe(RACES)
})

test('one kernel pays for one of eight sales', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const offers: Offer[] = []
    for (let rival = 0; rival < RIVALS; rival++) {
      const name = `k${at}n${rival}`
      const offer = anOffer(name, { seller: await holderOf(fronts[0], name) })
      await fronts[0].createOffer(offer)
      offers.push(offer)
    }
    const kernel = freshHex(66)
    const answers = await race(fronts, (front, rival) => front.transferName(saleOf(offers[rival] as Offer, kernel)))
    expect(sorted(answers.map(({ outcome }) => outcome))).toEqual(oneOf('transferred', 'proof-reused'))
  }
})

test('a buyer of two names at once gets one of them', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const buyer = aKey()
    const offers: Offer[] = []
    for (const name of [`one${at}`, `two${at}`]) {
      const offer = anOffer(name, { seller: await holderOf(fronts[0], name), buyer })
      await fronts[0].createOffer(offer)
      offers.push(offer)
    }
    const answers = await Promise.all(
      offers.map((offer, side) => untilAnswered(() => fronts[side ? 1 : 0].transferName(saleOf(offer)))),
    )
    expect(sorted(answers.map(({ outcome }) => outcome))).toEqual(['has-name', 'transferred'])
  }
})

test('a sale and a release of the same name: one of them', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const offer = anOffer(`gone${at}`, { seller: await holderOf(fronts[0], `gone${at}`) })
    await fronts[0].createOffer(offer)
    const { name, seller, buyer } = offer
    const [sale, released] = await Promise.all([
      untilAnswered(() => fronts[0].transferName(saleOf(offer))),
      untilAnswered(() => fronts[1].releaseName({ name, pubkey: seller, now: NOON, cooldownMs: 1000 })),
    ])
    const holder = (await fronts[0].activeName(name))?.pubkey
    expect([sale.outcome, released, holder]).toEqual(
      sale.outcome === 'transferred' ? ['transferred', 'not-owner', buyer] : ['owner-changed', 'released', undefined],
    )
  }
})

test('one payment buys one of eight names', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const grant = aGrant()
    await fronts[0].saveGrant(grant, null)
    await fronts[0].settleGrant(grant.invoiceId, NOON)
    const { pubkey } = grant
    const answers = await race(fronts, (front, rival) =>
      front.claimName(aClaim(`paid${at}x${rival}`, { pubkey, paid: true, cooldownMs: 0 })),
    )
    const claimed = answers.filter(({ outcome }) => outcome === 'claimed')
    expect(claimed).toHaveLength(1)
  }
  expect((await fronts[0].totals()).names).toBe(RACES)
})

test('one signature counts once', async () => {
  const fronts = await twoFronts()
  for (let at = 0; at < RACES; at++) {
    const id = freshHex(64)
    const outcomes = await race(fronts, (front) => front.recordAuth(id, NOON))
    expect(sorted(outcomes)).toEqual(oneOf('recorded', 'replayed'))
  }
})

test('own changes show at once in the public lookups, those of others within two seconds', async () => {
  const [one, two] = await twoFronts()
  const pubkey = aKey()
  expect([await one.lookups.keyOfName('alice'), await two.lookups.keyOfName('alice')]).toEqual([undefined, undefined])
  await one.claimName(aClaim('alice', { pubkey }))
  expect([await one.lookups.keyOfName('alice'), await two.lookups.keyOfName('alice')]).toEqual([pubkey, undefined])
  await expect.poll(() => two.lookups.keyOfName('alice'), { timeout: 2500 }).toBe(pubkey)
})
