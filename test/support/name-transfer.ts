// A sale of the name `ada`: seller, buyer, a chain with scripted answers, and signed offers and proofs of any content.
import { type KernelSource, type OperatorStore, shapeOf } from '../../src/authority/index.js'
import { createTransfers } from '../../src/authority/transfers/transfers.js'
import { nanoGrin } from '../../src/grin/amount/index.js'
import { completeProof, makeReceiverProof, paymentProofJson } from '../../src/grin/proof/index.js'
import { type AddressPrefix, addressOfSeed, formatAddress } from '../../src/grin/slatepack/index.js'
import { GrinpayError } from '../../src/lib/errors.js'
import { type NostrEvent, signEvent } from '../../src/nostr/event/index.js'
import { createFakeClock } from './fake-clock.js'
import { keyPairOf, seededRandom } from './nostr.js'
import { quickNames } from './quick-stores.js'

export const DOMAIN = 'names.acme.example'
export const seller = keyPairOf('seller')
export const buyer = keyPairOf('buyer')
export const stranger = keyPairOf('stranger')
export const PRICE = 500_000_000_381n
/** A day, a month: what an offer may last and how long a late claim is heard. */
export const RULES = { minConfirmations: 10, maxOfferSeconds: 2_592_000, claimGraceSeconds: 86_400 }
export const COOLDOWN_MS = 600_000

export const seedOf = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
export const addressOf = (seed: Uint8Array, prefix: AddressPrefix = 'grin'): string =>
  formatAddress(prefix, addressOfSeed(seed))
/** 33 bytes that no wallet would make; the authority does not care, the chain would not know it. */
export const excessOf = (byte: number): string => `08${Buffer.alloc(32, byte).toString('hex')}`

/** The chain: heights by kernel; `down` is why no node answers. */
function createFakeKernels() {
  const chain = { tip: 1000, heights: new Map<string, number>(), down: undefined as string | undefined, asked: 0 }
  async function answering<T>(answer: () => T): Promise<T> {
    chain.asked++
    if (chain.down !== undefined) throw new Error(chain.down)
    return answer()
  }
  const source: KernelSource = {
    kernel: (excess) =>
      answering(() => {
        const height = chain.heights.get(excess)
        return height === undefined ? undefined : { height, tip: chain.tip }
      }),
    tip: () => answering(() => chain.tip),
  }
  return Object.assign(chain, { source })
}

export interface OfferContent {
  readonly tags?: readonly (readonly string[])[]
  readonly kind?: number
  readonly from?: typeof seller
  readonly content?: string
}

const random = seededRandom('name sale')
let signed = 0

/** The six tags of an offer, with some of them changed. */
export const offerTags = (now: number, changed: Readonly<Record<string, string>> = {}): [string, string][] =>
  Object.entries({
    name: 'ada',
    domain: DOMAIN,
    p: buyer.pubkey,
    price: `${PRICE}`,
    proof_address: addressOf(seedOf(0x11)),
    expiration: `${Math.floor(now / 1000) + 3600}`,
    ...changed,
  })

/** No two are the same event. */
export const offerEvent = (
  now: number,
  { tags = offerTags(now), kind = 3402, from = seller, content }: OfferContent = {},
) =>
  signEvent(
    { kind, created_at: Math.floor(now / 1000), tags: [...tags], content: content ?? `${++signed}` },
    from.secret,
    random,
  )

export interface ProofContent {
  readonly amount?: bigint
  readonly excess?: string
  readonly recipient?: Uint8Array
  readonly sender?: Uint8Array
  readonly prefix?: AddressPrefix
}

/** What `grin-wallet export_proof` would write, signed by both seeds. */
export function proofJson({
  amount = PRICE,
  excess = excessOf(0xab),
  recipient = seedOf(0x11),
  sender = seedOf(0x22),
  prefix = 'grin',
}: ProofContent = {}) {
  const content = { amount: nanoGrin(amount), excess: Buffer.from(excess, 'hex'), sender: addressOfSeed(sender) }
  return paymentProofJson(completeProof(makeReceiverProof(content, recipient), sender), prefix)
}

/** A body as it comes over HTTP. */
export const bodyOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))

/** What the wire would say: status and text of a refusal, or what was answered. */
export async function saidBy<T>(run: Promise<T>): Promise<T | string> {
  try {
    return await run
  } catch (thrown) {
    if (thrown instanceof GrinpayError) return `${thrown.status} ${thrown.message}`
    throw thrown
  }
}

/** Everything of a sale, and what its people do. `store`: another than an empty one. */
export function createSale(store: OperatorStore = quickNames(), start?: number) {
  const clock = createFakeClock(start)
  const kernels = createFakeKernels()
  const logged: string[] = []
  const say = (_: object, text: string) => void logged.push(text)
  const transfers = createTransfers({
    store,
    clock,
    kernels: kernels.source,
    log: { info: say, warn: say },
    settings: { domain: DOMAIN, nameMin: 3, nameMax: 20, cooldownSeconds: COOLDOWN_MS / 1000 },
    rules: RULES,
  })
  const createOffer = (event: NostrEvent, caller = seller) =>
    saidBy(transfers.createOffer(caller, bodyOf({ offer: event })))
  const claim = (offerId: string, proof: unknown, caller = buyer) =>
    saidBy(transfers.claim(caller, bodyOf({ offer_id: offerId, proof })))
  return {
    store,
    clock,
    kernels,
    logged,
    transfers,
    createOffer,
    claim,
    revoke: (offerId: string, caller = seller) => saidBy(transfers.revoke(caller, offerId)),
    status: async (offerId: string) => {
      const shown = await saidBy(transfers.read(offerId))
      return typeof shown === 'string' ? shown : shown.status
    },
    sweep: async () => {
      for (const loop of transfers.loops) await loop.pass()
    },
    /** The operator's way to a name: no rule stands in the way. */
    give: (name: string, { pubkey } = seller) =>
      store.assign(shapeOf(name), { pubkey, replace: true, reason: 'test', now: clock.now() }),
    suspend: (name: string) => store.suspend(name, { suspended: true, reason: 'test', now: clock.now() }),
    /** Lodges an offer of `ada`, or of what the tags say; answers its id. */
    async offered(changed: Readonly<Record<string, string>> = {}, from = seller): Promise<string> {
      const event = offerEvent(clock.now(), { tags: offerTags(clock.now(), changed), from })
      const answer = await createOffer(event, from)
      if (typeof answer === 'string') throw new Error(answer)
      return answer.offerId
    },
    /** The payment was mined `confirmations` ago. */
    mined(excess = excessOf(0xab), confirmations = RULES.minConfirmations) {
      kernels.heights.set(excess, kernels.tip - confirmations + 1)
    },
  }
}
