// A real names.db with names in every state, one reserved name, open offers and a sale: what the pages of names are tested and looked at with.
import { type NameAccess, namesOf } from '../../src/authority/console/index.js'
import { type Offer, shapeOf } from '../../src/authority/index.js'
import { openTemporaryNames } from './temporary-store.js'
import { DAY, grin, HOUR, MINUTE, NOON } from './till-builders.js'

const [BEN, CAT] = ['b', 'c'].map((letter) => letter.repeat(64)) as [string, string]
export const ANN = 'a'.repeat(64)

/** Of ANN to BEN, live. */
export const anOffer = (over: Partial<Offer> = {}): Offer => {
  const offer = {
    id: 'f'.repeat(64),
    name: 'harbour',
    seller: ANN,
    buyer: BEN,
    price: grin(12.5),
    proofAddress: `grin1${'q'.repeat(58)}`,
    expiration: (NOON + DAY) / 1000,
    status: 'live' as const,
    endHeight: null,
    stateChangedAt: NOON - HOUR,
    createdAt: NOON - HOUR,
    ...over,
  }
  const { id, seller: pubkey } = offer
  const event = { id, pubkey, created_at: NOON / 1000, kind: 3402, tags: [], content: '', sig: '5f'.repeat(64) }
  return { event, ...offer }
}

/** `text` stands wherever people write. Close it with `remove`. */
export async function openNamesWorld(text = 'complaint 17: not their brand') {
  const { store, remove } = await openTemporaryNames()
  const claim = (name: string, pubkey: string, now = NOON - 30 * DAY) =>
    store.claimName({ shape: shapeOf(name), pubkey, now, cooldownMs: 0, paid: false })
  /** A name in the hands of another key. */
  async function hand(name: string, pubkey: string): Promise<void> {
    await store.evict(shapeOf(name), { reason: 'test', now: NOON, reserve: false })
    await claim(name, pubkey, NOON)
  }
  const proofAddress = text
  await claim('bakery.shop', ANN)
  await store.createOffer(anOffer({ id: 'e'.repeat(64), name: 'bakery.shop', proofAddress }))
  const sale = { offerId: 'e'.repeat(64), kernelExcess: '09'.repeat(33), kernelHeight: 2_749_990 }
  await store.transferName({ ...sale, now: NOON - 2 * HOUR, cooldownMs: 0 })
  await store.suspend('bakery.shop', { suspended: true, reason: text, now: NOON - DAY })
  await claim('harbour', ANN)
  await store.createOffer(anOffer({ proofAddress }))
  await claim('wharf', CAT)
  const over = { name: 'wharf', seller: CAT, expiration: (NOON - MINUTE) / 1000 }
  await store.createOffer(anOffer({ id: 'd'.repeat(64), ...over }))
  await claim('chandlery', 'd'.repeat(64))
  await store.releaseName({ name: 'chandlery', pubkey: 'd'.repeat(64), now: NOON - HOUR, cooldownMs: 0 })
  await store.reserve(shapeOf('lighthouse'), { reason: text, now: NOON - DAY })
  const [latest] = (await store.history({}, 1)).items

  /** What was done since, oldest first: "suspend harbour: why". */
  async function done(): Promise<readonly string[]> {
    const { items } = await store.history({}, 50)
    const since = items.filter(({ id, actor }) => id > (latest?.id ?? 0) && actor === 'operator')
    return since.map(({ action, name, reason }) => `${action} ${name}: ${reason}`).reverse()
  }

  const names: NameAccess = namesOf({
    store,
    clock: { now: () => NOON },
    names: { domain: 'acme.example', nameMin: 3, nameMax: 30, reserved: [] },
  })
  return { names, store, claim, hand, done, remove }
}
