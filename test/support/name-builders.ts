// Keys, grants, offers and claims as tests of the name store want them: valid, different from each other, overridable.
import { type Grant, type NameClaim, type Offer, type OperatorStore, shapeOf } from '../../src/authority/index.js'
import { freshHex, grin, MINUTE, NOON } from './till-builders.js'

export const COOLDOWN = 10 * MINUTE

/** A key that no other call returned; not a point of the curve, which no store cares about. */
export const aKey = (): string => freshHex(64)

/** A claim of `name` by a fresh key, at noon, free of charge. */
export const aClaim = (name: string, over: Partial<NameClaim> = {}): NameClaim => ({
  shape: shapeOf(name),
  pubkey: aKey(),
  now: NOON,
  cooldownMs: COOLDOWN,
  paid: false,
  ...over,
})

/** A key that holds `name` from noon on. */
export async function holderOf(store: OperatorStore, name: string): Promise<string> {
  const claim = aClaim(name)
  const { outcome } = await store.claimName(claim)
  if (outcome !== 'claimed') throw new Error(`${name}: ${outcome}`)
  return claim.pubkey
}

export const aGrant = (over: Partial<Grant> = {}): Grant => ({
  pubkey: aKey(),
  resource: 'name',
  serial: 1,
  invoiceId: `invoice-${freshHex(8)}`,
  payUrl: 'https://till.example/pay/1',
  amount: grin(1.5),
  status: 'pending',
  createdAt: NOON,
  paidAt: null,
  ...over,
})

/** A live offer of `name`, lodged at noon, that ends a minute later; its signature is invalid. */
export function anOffer(name: string, over: Partial<Offer> = {}): Offer {
  const [id, seller, buyer] = [freshHex(64), over.seller ?? aKey(), over.buyer ?? aKey()]
  const expiration = (NOON + MINUTE) / 1000
  const tags = [
    ['name', name],
    ['p', buyer],
    ['note', 'ünïcode "quoted" \u0000 \n'],
  ]
  const event = { id, pubkey: seller, created_at: NOON / 1000, kind: 3402, tags, content: '', sig: freshHex(128) }
  return {
    id,
    event,
    name,
    seller,
    buyer,
    price: grin(3),
    proofAddress: `tgrin1${freshHex(52)}`,
    expiration,
    status: 'live',
    endHeight: null,
    stateChangedAt: NOON,
    createdAt: NOON,
    ...over,
  }
}
