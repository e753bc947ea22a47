import { describe, expect, test } from 'vitest'
import { type OperatorStore, type Page, shapeOf } from '../../../../src/authority/index.js'
import { aClaim, aGrant, aKey, anOffer, holderOf } from '../../../support/name-builders.js'
import { MINUTE, NOON, SECOND } from '../../../support/till-builders.js'
import type { OpenNames } from './index.js'

const CHANGE = { reason: 'asked by mail', now: NOON + SECOND }

/** Every page of a list, two rows at a time. */
async function pagesOf<T>(read: (limit: number, cursor?: string) => Promise<Page<T>>): Promise<T[][]> {
  const pages: T[][] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page<T> = await read(2, cursor)
    pages.push([...page.items])
    cursor = page.next
  }
  return pages
}

async function severalNames(store: OperatorStore) {
  const keys: Record<string, string> = {}
  for (const name of ['dave', 'alice', 'carol', 'alfred', 'bob']) keys[name] = await holderOf(store, name)
  await store.releaseName({ name: 'bob', pubkey: keys.bob ?? '', now: NOON, cooldownMs: 0 })
  await store.suspend('dave', { ...CHANGE, suspended: true })
  return keys
}

export function describeLists(open: OpenNames): void {
  describe('lists', () => {
    test('names come in their order, page by page', async () => {
      const store = await open()
      await severalNames(store)
      const pages = await pagesOf((limit, cursor) => store.listNames({}, limit, cursor))
      expect(pages.map((page) => page.map(({ name }) => name))).toEqual([
        ['alfred', 'alice'],
        ['bob', 'carol'],
        ['dave'],
      ])
    })

    test('names are chosen by state, beginning and key, and by several of these', async () => {
      const store = await open()
      const keys = await severalNames(store)
      await store.claimName(aClaim('erin', { pubkey: keys.alice ?? '' }))
      const names = async (filter: Parameters<OperatorStore['listNames']>[0]) =>
        (await store.listNames(filter, 10)).items.map(({ name }) => name)
      expect(await names({ status: 'active' })).toEqual(['alfred', 'carol', 'dave', 'erin'])
      expect(await names({ status: 'released' })).toEqual(['alice', 'bob'])
      expect(await names({ status: 'suspended' })).toEqual(['dave'])
      expect(await names({ prefix: 'al' })).toEqual(['alfred', 'alice'])
      expect(await names({ prefix: 'al', status: 'active' })).toEqual(['alfred'])
      expect(await names({ pubkey: keys.alice ?? '' })).toEqual(['alice', 'erin'])
      expect(await names({ pubkey: keys.alice ?? '', status: 'released' })).toEqual(['alice'])
      expect(await names({ pubkey: aKey() })).toEqual([])
      expect(await names({ prefix: '%' })).toEqual([])
    })

    test('a row that goes away between two pages hides no other', async () => {
      const store = await open()
      await severalNames(store)
      const first = await store.listNames({ status: 'active' }, 2)
      await store.evict(shapeOf('alice'), { ...CHANGE, reserve: false })
      const second = await store.listNames({ status: 'active' }, 2, first.next ?? '')
      expect(second.items.map(({ name }) => name)).toEqual(['carol', 'dave'])
    })

    test('reserved names come in their order', async () => {
      const store = await open()
      for (const name of ['press', 'bank', 'abuse']) await store.reserve(shapeOf(name), CHANGE)
      const pages = await pagesOf((limit, cursor) => store.listReserved(limit, cursor))
      expect(pages.map((page) => page.map(({ name }) => name))).toEqual([['abuse', 'bank'], ['press']])
    })

    test('offers come newest first, by status and name', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const bobs = anOffer('bob', { seller: await holderOf(store, 'bob'), createdAt: NOON + 9 * MINUTE })
      const mine = [0, 1, 2].map((i) =>
        anOffer('alice', { seller, createdAt: NOON + 2 * i * MINUTE, expiration: NOON / 1000 + 120 * i }),
      )
      for (const offer of [...mine, bobs]) await store.createOffer(offer)
      await store.endOffer(mine[0]?.id ?? '', { status: 'expired', endHeight: 1, now: NOON })
      const ids = (pages: readonly (readonly { readonly id: string }[])[]) =>
        pages.map((page) => page.map(({ id }) => id))
      const of = (...offers: readonly ({ readonly id: string } | undefined)[]) => offers.map((offer) => offer?.id)
      expect(ids(await pagesOf((limit, cursor) => store.listOffers({}, limit, cursor)))).toEqual([
        of(bobs, mine[2]),
        of(mine[1], mine[0]),
      ])
      const live = await store.listOffers({ status: 'live', name: 'alice' }, 10)
      expect(ids([live.items])).toEqual([of(mine[2], mine[1])])
    })

    test('ids of offers and grants are found by how they begin, also in the middle of a byte', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const made = ['ab1', 'ab2', 'abf', 'ac0'].map((head, i) =>
        anOffer('alice', {
          id: head.padEnd(64, '0'),
          seller,
          createdAt: NOON + 2 * i * MINUTE,
          expiration: NOON / 1000 + 120 * i,
        }),
      )
      for (const offer of made) await store.createOffer(offer)
      const ids = made.map(({ id }) => id)
      expect(await store.idsLike('offer', 'ab', 10)).toEqual(ids.slice(0, 3))
      expect(await store.idsLike('offer', 'ab', 2)).toEqual(ids.slice(0, 2))
      expect(await store.idsLike('offer', 'ab2', 10)).toEqual([ids[1]])
      expect(await store.idsLike('offer', 'ad', 10)).toEqual([])
      expect(await store.idsLike('offer', 'ab-1', 10)).toEqual([])
      const grants = ['9b1d6a', '9b1d6b'].map((head) => aGrant({ invoiceId: head.padEnd(32, '0') }))
      for (const grant of grants) await store.saveGrant(grant, null)
      expect(await store.idsLike('grant', '9b1d6', 10)).toEqual(grants.map(({ invoiceId }) => invoiceId))
      expect(await store.idsLike('grant', '9b1d6b', 10)).toEqual([grants[1]?.invoiceId])
    })

    test('grants come newest first, by status and key', async () => {
      const store = await open()
      const grants = [0, 1, 2].map((i) => aGrant({ createdAt: NOON + i * SECOND }))
      for (const grant of grants) await store.saveGrant(grant, null)
      await store.settleGrant(grants[1]?.invoiceId ?? '', NOON)
      const pages = await pagesOf((limit, cursor) => store.listGrants({}, limit, cursor))
      expect(pages.flat().map(({ createdAt }) => createdAt - NOON)).toEqual([2 * SECOND, SECOND, 0])
      expect((await store.listGrants({ status: 'pending' }, 10)).items).toEqual([grants[2], grants[0]])
      expect((await store.listGrants({ pubkey: grants[0]?.pubkey ?? '' }, 10)).items).toEqual([grants[0]])
    })

    test('every change leaves its line in the history', async () => {
      const store = await open()
      const alice = await holderOf(store, 'alice')
      await store.claimName(aClaim('carol', { pubkey: alice, now: NOON + 1 }))
      await store.reserve(shapeOf('bank'), CHANGE)
      await store.unreserve('bank', CHANGE)
      await store.assign(shapeOf('erin'), { ...CHANGE, pubkey: alice, replace: true })
      await store.suspend('erin', { ...CHANGE, suspended: true })
      await store.suspend('erin', { ...CHANGE, suspended: false })
      await store.evict(shapeOf('erin'), { ...CHANGE, reserve: true })
      const grant = aGrant({ pubkey: alice })
      await store.saveGrant(grant, null)
      await store.voidGrant(grant.invoiceId, CHANGE)
      const pages = await pagesOf((limit, cursor) => store.history({}, limit, cursor))
      const lines = pages.flat().map(({ actor, action, name, pubkey }) => [actor, action, name, pubkey])
      expect(lines.reverse()).toEqual([
        ['holder', 'claim', 'alice', alice],
        ['holder', 'release', 'alice', alice],
        ['holder', 'claim', 'carol', alice],
        ['operator', 'reserve', 'bank', null],
        ['operator', 'unreserve', 'bank', null],
        ['operator', 'release', 'carol', alice],
        ['operator', 'assign', 'erin', alice],
        ['operator', 'suspend', 'erin', alice],
        ['operator', 'resume', 'erin', alice],
        ['operator', 'evict', 'erin', alice],
        ['operator', 'reserve', 'erin', null],
        ['operator', 'void-grant', null, alice],
      ])
      expect((await store.history({ name: 'carol' }, 10)).items.map(({ at, reason }) => [at, reason])).toEqual([
        [CHANGE.now, CHANGE.reason],
        [NOON + 1, null],
      ])
    })

    test('the history of a key tells of its sales; what was refused leaves nothing', async () => {
      const store = await open()
      const seller = await holderOf(store, 'alice')
      const offer = anOffer('alice', { seller })
      await store.createOffer(offer)
      const kernelExcess = '08'.repeat(33)
      await store.transferName({ offerId: offer.id, kernelExcess, kernelHeight: 1, now: NOON, cooldownMs: 0 })
      await store.claimName(aClaim('alice', { pubkey: seller }))
      const of = async (pubkey: string) => (await store.history({ pubkey }, 10)).items.map(({ action }) => action)
      expect(await of(seller)).toEqual(['release', 'claim'])
      expect(await of(offer.buyer)).toEqual(['transfer'])
      expect((await store.history({ name: 'alice' }, 1)).items[0]).toMatchObject({
        actor: 'sale',
        reason: `offer ${offer.id}`,
      })
    })
  })
}
