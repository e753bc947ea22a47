// The customers of a world: each pays with a wallet of its own, over a rail, honestly or not. What they saw is kept for the checks.
import { nanoGrin } from '../../../src/grin/amount/index.js'
import { openKeychain, outputIdentifier } from '../../../src/grin/keychain/index.js'
import {
  type Coin,
  createS1,
  finalizeS2,
  type PendingPayment,
  payI1,
  planSpend,
} from '../../../src/grin/payer/index.js'
import { armorSlate, readSlatepack } from '../../../src/grin/slatepack/index.js'
import { transactionJson } from '../../../src/grin/tx/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { GIFT_WRAP_KIND, RELAY_LIST_KIND, signEvent } from '../../../src/nostr/event/index.js'
import { envelopeVersionFor, openWrap, wrapMessage } from '../../../src/nostr/gift-wrap/index.js'
import { freshSecret, publicKeyOf } from '../../../src/nostr/keys/index.js'
import { readPayLink } from '../../../src/sandbox/pay-target.js'
import { makeCoinbase } from '../../../src/sandbox/payer.js'
import { parseFilter } from '../../support/memory-relay/filters.js'
import type { Chance } from '../ground/chance.js'
import { standInProofs } from '../ground/range-proofs.js'
import type { VirtualTime } from '../ground/time.js'
import type { Trace } from '../ground/trace.js'
import type { GrinNetwork } from './grin.js'
import { NoAnswerInWorld, type TillProcess } from './process.js'
import type { WorldRelay } from './relays.js'

/** What a customer needs of an invoice. */
export interface Offer {
  readonly id: string
  readonly token: string
  readonly amount: bigint
  readonly payLink: string
}

/** A transaction that pays the till, and what came of it. */
export interface Paid {
  readonly slateId: string
  readonly invoiceId: string
  readonly amount: bigint
  /** 66 hex. */
  readonly excess: string
  /** A node took it. */
  isPushed: boolean
}

/** How a customer behaves; the weights are those of a shop's day. */
const MANNERS = {
  honest: 60,
  slow: 8,
  twice: 5,
  'never posts': 6,
  'wrong amount': 4,
  'pays after expiry': 4,
  'two wallets': 4,
  'pastes the reply back': 4,
  'replays the S1': 5,
} as const
export type Manner = keyof typeof MANNERS

const RAILS = { slatepack: 5, nostr: 4, invoice: 2 } as const
const PREFIX = 'tgrin'
const COIN = 100_000_000_000_000n
const ARMOR = /BEGINSLATEPACK\..*?ENDSLATEPACK\./s

export interface CustomersParts {
  readonly time: VirtualTime
  readonly chance: Chance
  readonly trace: Trace
  readonly grin: GrinNetwork
  readonly till: TillProcess
  readonly relays: readonly WorldRelay[]
}

interface Held {
  readonly slateId: string
  readonly s1: string
  readonly pending: PendingPayment
}

export function createCustomers({ time, chance, trace, grin, till, relays }: CustomersParts) {
  const keychain = openKeychain(chance.bytes(32))
  const prover = { prove: standInProofs.prove, random: chance }
  const coins: Coin[] = []
  let nextIndex = 0
  const paid: Paid[] = []
  /** By slate id: the bytes of each reply, so that none is ever answered by two. */
  const replies = new Map<string, Set<string>>()
  /** Texts of refusals, by code. */
  const refusals = new Map<string, string>()

  const nextKey = () => outputIdentifier(0, nextIndex++)

  async function fund(count: number): Promise<void> {
    for (let made = 0; made < count; made++) {
      const { coin, json } = await makeCoinbase(nextKey(), COIN, { keychain, ...prover })
      await grin.mineCoinbase({ ...json, value: COIN })
      coins.push(coin)
    }
    grin.mine(3)
  }

  async function takeCoin(): Promise<Coin> {
    if (coins.length === 0) await fund(20)
    return coins.pop()!
  }

  async function begin(amount: bigint): Promise<Held> {
    const spend = planSpend([await takeCoin()], nanoGrin(amount), nextKey())
    const slateId = chance.uuid()
    const { slate, pending } = createS1({
      amount: nanoGrin(amount),
      spend,
      id: slateId,
      headerVersion: 5,
      random: chance,
    })
    return { slateId, s1: armorSlate(slate, { prefix: PREFIX }), pending }
  }

  async function finish({ slateId, pending }: Held, s2: string, invoiceId: string): Promise<{ tx: object; row: Paid }> {
    const { slate } = await readSlatepack(s2, { prefix: PREFIX })
    const { transaction, excess } = await finalizeS2({
      ...{ keychain, slate, pending },
      prove: standInProofs.prove,
      verifyRange: standInProofs.verify,
    })
    const row = { slateId, invoiceId, amount: pending.slate.amount, excess: toHex(excess), isPushed: false }
    paid.push(row)
    return { tx: transactionJson(transaction), row }
  }

  async function push(tx: object, row: Paid): Promise<void> {
    await time.sleep(chance.around(4000))
    const refusal = await grin.push(tx)
    row.isPushed ||= refusal === undefined
    trace.note('customer', 'posts', `${row.slateId.slice(0, 8)}${refusal === undefined ? '' : ` refused: ${refusal}`}`)
  }

  function heardReply(slateId: string, armor: string): string {
    const known = replies.get(slateId) ?? new Set()
    replies.set(slateId, known.add(armor.replace(/\s+/g, ' ').trim()))
    return armor
  }

  /** The page of the invoice, again while no answer comes. Undefined: refused. */
  async function paste(token: string, slatepack: string): Promise<string | undefined> {
    for (let attempt = 0; attempt < 8; attempt++) {
      try {
        const { status, body } = await till.ask({
          method: 'POST',
          url: `/pay/${token}/slatepack`,
          headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
          payload: new URLSearchParams({ slatepack }).toString(),
        })
        const answer = JSON.parse(body) as { ok?: boolean; slatepack?: string; code?: string; error?: string }
        if (status === 200 && answer.slatepack) return answer.slatepack
        refusals.set(answer.code ?? String(status), answer.error ?? body.slice(0, 100))
        trace.note('customer', 'is refused', answer.code ?? String(status))
        trace.state(`refusal: ${answer.code ?? status}`)
        if (status < 500 && status !== 429) return undefined
      } catch (thrown) {
        if (!(thrown instanceof NoAnswerInWorld)) throw thrown
      }
      await time.sleep(5000 + chance.around(30_000))
    }
    return undefined
  }

  /** Over the relays: the S1 out, the S2 back, waiting for at most a day. */
  async function overNostr({ payLink }: Offer, { s1 }: Held): Promise<string | undefined> {
    const link = readPayLink(payLink)
    const secret = freshSecret(chance)
    const pubkey = publicKeyOf(secret)
    const mine = relays.filter(({ url }) => link.relays.some((named) => named.replace(/\/$/, '') === url))
    const list = signEvent(
      {
        ...{ kind: RELAY_LIST_KIND, created_at: Math.floor(time.now() / 1000), content: '' },
        tags: [
          ...mine.map(({ url }) => ['relay', url]),
          ['encryption', chance.pick(['nip44_v3 nip44_v2', 'nip44_v2'])],
        ],
      },
      secret,
      chance,
    )
    const target = mine.map((relay) => relay.newest(RELAY_LIST_KIND, link.pubkey)).find((found) => found !== undefined)
    const { wrap } = wrapMessage({
      content: `[Goblin] GRIN payment message\n\n${s1}`,
      tags: [['p', link.pubkey], ['goblin', '1'], ...(link.memo === undefined ? [] : [['subject', link.memo]])],
      ...{
        sender: secret,
        receiver: link.pubkey,
        version: envelopeVersionFor(target),
        now: time.now(),
        random: chance,
      },
    })
    let reply: string | undefined
    const ends = mine.map((relay) =>
      relay.listen(parseFilter({ kinds: [GIFT_WRAP_KIND], '#p': [pubkey] }), (event) => {
        const opened = openWrap(event, secret)
        if ('rumor' in opened && opened.rumor.pubkey === link.pubkey) reply ??= ARMOR.exec(opened.rumor.content)?.[0]
      }),
    )
    for (let attempt = 0; attempt < 200; attempt++) {
      const published = await Promise.allSettled(mine.flatMap((relay) => [relay.publish(list), relay.publish(wrap)]))
      if (published.some(({ status }) => status === 'fulfilled')) break
      await time.sleep(60_000)
    }
    for (let waited = 0; reply === undefined && waited < 720; waited++) await time.sleep(waited < 100 ? 2000 : 120_000)
    for (const end of ends) end()
    if (reply === undefined) trace.happening('customer: no reply over nostr')
    return reply
  }

  /** A native invoice slate: I1 from the invoice, I2 pasted; the till posts. */
  async function overInvoice(offer: Offer): Promise<void> {
    const { body } = await till.ask({ method: 'GET', url: `/pay/${offer.token}/status`, headers: JSON_ACCEPT })
    const { slatepack } = JSON.parse(body) as { slatepack?: string | null }
    if (!slatepack) return void trace.happening('customer: no I1 yet')
    const { slate } = await readSlatepack(slatepack, { prefix: PREFIX })
    const spend = planSpend([await takeCoin()], nanoGrin(slate.amount), nextKey())
    const i2 = await payI1({ keychain, slate, spend, prove: standInProofs.prove, random: chance })
    const armor = armorSlate(i2.slate, { prefix: PREFIX })
    const reply = await paste(offer.token, armor)
    if (reply === undefined) return
    heardReply(slate.id, reply)
    trace.note('customer', 'pays I1', slate.id.slice(0, 8))
    trace.happening('customer: paid an I1')
  }

  async function payOnce(offer: Offer, rail: keyof typeof RAILS, amount: bigint, manner: Manner): Promise<void> {
    const held = await begin(amount)
    const reply = await (rail === 'nostr' ? overNostr(offer, held) : paste(offer.token, held.s1))
    trace.note('customer', reply === undefined ? 'got no reply' : 'has a reply', `${held.slateId.slice(0, 8)} ${rail}`)
    if (reply === undefined) return
    heardReply(held.slateId, reply)
    if (manner === 'pastes the reply back') await paste(offer.token, reply)
    if (manner === 'replays the S1') {
      await time.sleep(chance.around(600_000))
      const again = await paste(offer.token, held.s1)
      if (again !== undefined) heardReply(held.slateId, again)
    }
    if (manner === 'slow') await time.sleep(chance.around(3_600_000))
    const { tx, row } = await finish(held, reply, offer.id)
    if (manner !== 'never posts') await push(tx, row)
  }

  return {
    fund,
    paid: paid as readonly Paid[],
    replies: replies as ReadonlyMap<string, ReadonlySet<string>>,
    refusals: refusals as ReadonlyMap<string, string>,
    /** One customer's life with one invoice. */
    async visit(offer: Offer): Promise<void> {
      const manner = chance.weighted(MANNERS)
      const rail = chance.weighted(RAILS)
      trace.note('customer', 'comes', `${offer.id.slice(0, 8)} ${rail} ${manner}`)
      trace.happening(`customer: ${manner} over ${rail}`)
      await time.sleep(chance.around(60_000))
      if (manner === 'pays after expiry') await time.sleep(chance.whole(600_000, 7_200_000))
      try {
        if (rail === 'invoice') return await overInvoice(offer)
        const amount = manner === 'wrong amount' ? offer.amount + BigInt(chance.whole(1, 1000)) : offer.amount
        await payOnce(offer, rail, amount, manner)
        if (manner === 'twice' || manner === 'two wallets') await payOnce(offer, rail, amount, 'honest')
      } catch (thrown) {
        if (!(thrown instanceof NoAnswerInWorld)) throw thrown
      }
    },
  }
}

const JSON_ACCEPT = { accept: 'application/json' }

export type Customers = ReturnType<typeof createCustomers>
