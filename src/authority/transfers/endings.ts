// Ends offers and records the chain height: a payment mined up to that height still counts (specification: names, 10.4).
import { messageOf } from '../../lib/errors.js'
import type { Clock, Log } from '../../lib/ports.js'
import type { Caller } from '../api.js'
import { nothingHere, notTheOwner, offerConsumed } from '../errors.js'
import type { Offer } from '../model.js'
import type { KernelSource, OfferStore } from '../ports.js'

export interface EndingParts {
  readonly store: Pick<OfferStore, 'offer' | 'endOffer' | 'lapsedOffers'>
  readonly kernels: Pick<KernelSource, 'tip'>
  readonly clock: Pick<Clock, 'now' | 'sleep'>
  readonly log: Pick<Log, 'info' | 'warn'>
}

export interface Endings {
  /** The current offer: a live one past its expiration is ended at the current height. */
  settle(offer: Offer): Promise<Offer>
  /** `settle` for readers: waits at most READ_WAIT_MS for a node. */
  peek(offer: Offer): Promise<Offer>
  /** Rejects with NOT_FOUND, NOT_THE_OWNER, OFFER_CONSUMED, in this order. Repeatable. */
  revoke(caller: Caller, offerId: string): Promise<void>
  /** Ends lapsed offers that nothing has read since, so that the recorded height is close to the true one. */
  sweep(): Promise<void>
}

/** One sweep ends at most BATCH × MOST_BATCHES offers; the rest waits for the next. */
const BATCH = 100
const MOST_BATCHES = 20

/** How long a reader waits for a node. */
const READ_WAIT_MS = 3000

export function createEndings({ store, kernels, clock, log }: EndingParts): Endings {
  let observing: Promise<number | null> | undefined

  async function height(): Promise<number | null> {
    try {
      return await kernels.tip()
    } catch (thrown) {
      log.warn({ why: messageOf(thrown) }, 'no Grin node tells the height at which an offer ended')
      return null
    }
  }

  /** Concurrent callers share one request: offers are public. */
  function currentHeight(): Promise<number | null> {
    observing ??= height().finally(() => {
      observing = undefined
    })
    return observing
  }

  const hasLapsed = ({ status, expiration }: Offer): boolean =>
    status === 'live' && expiration < Math.floor(clock.now() / 1000)

  async function expire(id: string, endHeight: number): Promise<Offer | undefined> {
    const left = await store.endOffer(id, { status: 'expired', endHeight, now: clock.now() })
    if (left?.status === 'expired') log.info({ offer: id, endHeight }, 'an offer expired')
    return left
  }

  async function endIfLapsed(offer: Offer, heightOf: () => Promise<number | null>): Promise<Offer> {
    if (!hasLapsed(offer)) return offer
    const endHeight = await heightOf()
    // Without a height no late claim would be accepted, so a node that is briefly away leaves the end unrecorded.
    if (endHeight === null) return { ...offer, status: 'expired', stateChangedAt: clock.now() }
    return (await expire(offer.id, endHeight)) ?? offer
  }

  async function heightSoon(): Promise<number | null> {
    const timer = new AbortController()
    const height = await Promise.race([currentHeight(), clock.sleep(READ_WAIT_MS, timer.signal).then(() => null)])
    timer.abort()
    return height
  }

  return {
    settle: (offer) => endIfLapsed(offer, currentHeight),
    peek: (offer) => endIfLapsed(offer, heightSoon),
    async revoke({ pubkey }, offerId) {
      const offer = await store.offer(offerId)
      if (!offer) throw nothingHere()
      if (offer.seller !== pubkey) throw notTheOwner()
      if (offer.status === 'consumed') throw offerConsumed()
      if (offer.status === 'revoked') return
      const endHeight = offer.status === 'live' ? await height() : offer.endHeight
      const left = await store.endOffer(offerId, { status: 'revoked', endHeight, now: clock.now() })
      // Sold during the node request.
      if (left?.status === 'consumed') throw offerConsumed()
      log.info({ offer: offerId, endHeight: left?.endHeight }, 'an offer was revoked')
    },
    async sweep() {
      for (let batch = 0; batch < MOST_BATCHES; batch++) {
        const lapsed = await store.lapsedOffers(Math.floor(clock.now() / 1000), BATCH)
        if (lapsed.length === 0) return
        const endHeight = await currentHeight()
        if (endHeight === null) return
        await Promise.all(lapsed.map(({ id }) => expire(id, endHeight)))
        if (lapsed.length < BATCH) return
      }
    },
  }
}
