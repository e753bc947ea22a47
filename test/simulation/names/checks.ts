// What must hold when a world of names is at rest (the numbers are those of the list in the README above this folder).
import { openNameReader } from '../../../src/storage/index.js'
import type { VirtualTime } from '../ground/time.js'
import type { AuthorityProcess } from './authority.js'
import type { SaleChain } from './chain.js'
import type { Ledger } from './ledger.js'
import type { Operator } from './operators.js'
import type { People } from './people.js'
import { MIN_CONFIRMATIONS, type Sales } from './sales.js'
import type { WorldTill } from './till.js'

interface RestedNames {
  readonly time: VirtualTime
  readonly authority: AuthorityProcess
  readonly chain: SaleChain
  readonly till: WorldTill
  readonly ledger: Ledger
  readonly people: People
  readonly sales: Sales
  readonly operator: Operator
  readonly isPaid: boolean
}

const HOUR_MS = 3_600_000

/** Adds to the findings of the ledger. */
export async function checkAtRest(world: RestedNames): Promise<void> {
  const { authority, ledger, people } = world
  if (!authority.isRunning) return ledger.wrong(3, 'the authority is down at rest')
  await ledger.catchUp()
  await ledger.compareTable()
  for (const name of new Set([...people.wanted, ...ledger.model.holders.keys()])) await people.look(name)
  await checkSales(world)
  await world.time.sleep(HOUR_MS)
  await checkPayments(world)
  await ledger.compareTable()
  for (const error of authority.errors)
    if (!/pass failed|the disk is full/.test(error)) ledger.wrong(10, error.slice(0, 300))
}

/** A key that paid has its name, or gets one now. */
async function checkPayments({ time, till, ledger, people, operator, isPaid }: RestedNames): Promise<void> {
  if (!isPaid) return
  const { model } = ledger
  for (const [at, person] of people.people.entries()) {
    const { pubkey } = person.signer
    const left = till.confirmedOf(pubkey) - model.claimsOf(pubkey) - operator.voidedOf(pubkey)
    if (left <= 0) continue
    const held = model.nameOf(pubkey)
    if (held !== undefined && model.isSuspended(held)) continue
    // One invoice at a time: a second payment needs the first to be spent.
    await time.sleep(HOUR_MS)
    const reply = await people.claim(person, `berth-x${at}`)
    if (reply !== undefined && reply.status !== 201)
      ledger.wrong(7, `a payment of ${person.nick} bought nothing: ${reply.said}`)
  }
}

/** Every sale has one payment of its own, and whoever paid in time gets the name. */
async function checkSales({ time, authority, chain, ledger, people, sales }: RestedNames): Promise<void> {
  const store = await openNameReader({ path: authority.database })
  try {
    const spent = new Map<string, string>()
    for (const { id, status, price } of (await store.listOffers({}, 1000)).items) {
      const sale = await store.transferOf(id)
      if ((status === 'consumed') !== (sale !== undefined)) ledger.wrong(7, `the offer ${id.slice(0, 8)} is ${status}`)
      if (!sale) continue
      if (spent.has(sale.kernelExcess))
        ledger.wrong(7, `one kernel paid for ${sale.name} and ${spent.get(sale.kernelExcess)}`)
      spent.set(sale.kernelExcess, sale.name)
      const paid = sales.payments.find(({ excess }) => excess === sale.kernelExcess)
      if (paid?.amount !== price)
        ledger.wrong(7, `${sale.name} was sold for ${paid?.amount ?? 'nothing'}, not ${price}`)
    }
    for (const { offerId, buyer, amount, excess, proof } of sales.payments) {
      const offer = await store.offer(offerId)
      const height = chain.heightOf(excess)
      const held = await store.activeName(offer?.name ?? '')
      if (!offer || height === undefined || spent.has(excess) || offer.price !== amount) continue
      if (held?.pubkey !== offer.seller || held.suspendedAt !== null) continue
      if (chain.height() - height + 1 < MIN_CONFIRMATIONS) continue
      if (offer.status !== 'live' && (offer.endHeight === null || offer.endHeight < height)) continue
      if (offer.status !== 'live' && time.now() - offer.stateChangedAt > 86_000_000) continue
      if (offer.status === 'consumed' || offer.expiration * 1000 < time.now() + 60_000) continue
      const own = ledger.model.nameOf(buyer.signer.pubkey)
      const reply = await sales.take(buyer, offerId, proof)
      const due = own === undefined ? '201' : '409 PUBKEY_HAS_NAME'
      if (reply && reply.said !== due && reply.said !== '429 RATE_LIMITED')
        ledger.wrong(7, `who paid for ${offer.name} was answered ${reply.said}, and should be ${due}`)
      spent.set(excess, offer.name)
      await people.look(offer.name)
    }
  } finally {
    await store.close()
  }
}
