// Names that are sold in a world: a holder offers one to a buyer, or to two in turn; the buyer pays over Grin and shows the proof of it.
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { completeProof, makeReceiverProof, paymentProofJson } from '../../../src/grin/proof/index.js'
import { addressOfSeed, formatAddress } from '../../../src/grin/slatepack/index.js'
import type { Chance } from '../ground/chance.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import type { SaleChain } from './chain.js'
import type { Ledger } from './ledger.js'
import { DOMAIN, type People, type Person, type Reply } from './people.js'

interface Payment {
  readonly offerId: string
  readonly buyer: Person
  readonly amount: bigint
  /** 66 hex. */
  readonly excess: string
  readonly proof: object
}

const OFFER_KIND = 3402
const OFFER = '/api/v1/transfer/offer'
const MINUTE_MS = 60_000
export const MIN_CONFIRMATIONS = 10

interface SalesParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly chain: SaleChain
  readonly ledger: Ledger
  readonly people: People
}

export function createSales({ time, chance, trace, chain, ledger, people }: SalesParts) {
  const payments: Payment[] = []
  /** Sellers are asked to use a fresh address; not all do. */
  let lastSeed = chance.bytes(32)

  async function offer(seller: Person, name: string, buyer: Person): Promise<Reply | undefined> {
    if (!chance.is(0.15)) lastSeed = chance.bytes(32)
    const price = BigInt(chance.whole(1, 5)) * 1_000_000_000n
    const now = Math.floor(time.now() / 1000)
    const event = seller.signer.sign({
      ...{ kind: OFFER_KIND, created_at: now, content: '' },
      tags: [
        ['name', name],
        ['domain', chance.is(0.03) ? 'other.example' : DOMAIN],
        ['p', buyer.signer.pubkey],
        ['price', String(price)],
        ['proof_address', formatAddress('grin', addressOfSeed(lastSeed))],
        ['expiration', String(now + chance.pick([600, 3600, 86_400, 400_000]))],
      ],
    })
    const seed = lastSeed
    const payload = { offer: event }
    const reply = await people.send(seller, { verb: 'offer', about: name, method: 'POST', path: OFFER, payload })
    if (reply?.status === 201) void buy(buyer, event.id, price, seed)
    return reply
  }

  /** Both wallets sign; the payer's transaction is mined soon. */
  function pay(buyer: Person, offerId: string, amount: bigint, recipient: Uint8Array): Payment {
    const sender = chance.bytes(32)
    const excess = Buffer.concat([Buffer.of(chance.pick([8, 9])), chance.bytes(32)])
    const content = { amount: nanoGrin(amount), excess, sender: addressOfSeed(sender) }
    const proof = paymentProofJson(completeProof(makeReceiverProof(content, recipient), sender), 'grin')
    const payment = { offerId, buyer, amount, excess: excess.toString('hex'), proof }
    chain.mine(payment.excess)
    payments.push(payment)
    trace.note(buyer.nick, 'pays', offerId.slice(0, 8))
    return payment
  }

  const take = (buyer: Person, offerId: string, proof: object): Promise<Reply | undefined> =>
    people.send(buyer, {
      ...{ verb: 'take', about: offerId, method: 'POST', path: '/api/v1/transfer/claim' },
      payload: { offer_id: offerId, proof },
    })

  async function buy(buyer: Person, offerId: string, price: bigint, recipient: Uint8Array): Promise<void> {
    await time.sleep(chance.around(20 * MINUTE_MS))
    if (chance.is(0.2)) return
    const { proof } = pay(buyer, offerId, chance.is(0.1) ? price + 1n : price, recipient)
    for (let tries = 0; tries < 5; tries++) {
      await time.sleep(chance.around(12 * MINUTE_MS))
      const shown = chance.is(0.05) && payments.length > 1 ? chance.pick(payments).proof : proof
      const copies = chance.is(0.1) ? 2 : 1
      const replies = await Promise.all(Array.from({ length: copies }, () => take(buyer, offerId, shown)))
      const [reply] = replies
      if (reply?.said === '409 PUBKEY_HAS_NAME') await people.release(buyer, String(reply.json.name))
      if (reply?.status === 201 || reply?.status === 410) return
    }
  }

  async function revoke(seller: Person, offerId: string): Promise<Reply | undefined> {
    return people.send(seller, { verb: 'revoke', about: offerId, method: 'DELETE', path: `${OFFER}/${offerId}` })
  }

  return {
    payments: payments as readonly Payment[],
    take,
    /** Somebody who has a name sells it; at times to two, one after the other. */
    async sell(): Promise<void> {
      const sellers = people.people.filter(({ signer }) => ledger.model.nameOf(signer.pubkey) !== undefined)
      if (sellers.length === 0) return
      const seller = chance.pick(sellers)
      const others = people.people.filter((person) => person !== seller)
      const name = chance.is(0.95) ? ledger.model.nameOf(seller.signer.pubkey) : 'harbour'
      const first = await offer(seller, name ?? 'harbour', chance.pick(others))
      const { offer_id: id } = first?.json ?? {}
      if (typeof id !== 'string' || !chance.is(0.5)) return
      await time.sleep(chance.around(25 * MINUTE_MS))
      if (chance.is(0.8)) await revoke(seller, id)
      await offer(seller, name ?? 'harbour', chance.pick(others))
    },
  }
}

export type Sales = ReturnType<typeof createSales>
