// Creates an offer: refusals in a fixed order, then one write (specification: names, 10.2).
import type { AuthoritySettings, TransferSettings, Transfers } from '../api.js'
import { invalidOffer, nameSuspended, notTheOwner, offerAmbiguous, offerExists, offerKeyMismatch } from '../errors.js'
import type { Clock, Log, OfferStore } from '../ports.js'
import { readOfferBody } from './bodies.js'
import { offerTermsOf } from './offer.js'

export interface OfferCreatorParts {
  readonly store: Pick<OfferStore, 'createOffer'>
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'info'>
  readonly settings: Pick<AuthoritySettings, 'domain' | 'nameMin' | 'nameMax'>
  readonly rules: Pick<TransferSettings, 'maxOfferSeconds'>
}

export function offerCreator({ store, clock, log, settings, rules }: OfferCreatorParts): Transfers['createOffer'] {
  return async ({ pubkey }, body) => {
    const event = readOfferBody(body)
    if (event.pubkey !== pubkey) throw offerKeyMismatch()
    const now = clock.now()
    const terms = offerTermsOf(event, { ...settings, ...rules }, Math.floor(now / 1000))
    if (!terms) throw invalidOffer()
    const fresh = { status: 'live', endHeight: null, stateChangedAt: now, createdAt: now } as const
    const outcome = await store.createOffer({ id: event.id, event, seller: pubkey, ...terms, ...fresh })
    if (outcome !== 'stored') throw REFUSED[outcome]()
    const { name, expiration } = terms
    log.info({ offer: event.id, name }, 'a name is on offer')
    return { offerId: event.id, name, expiresAt: expiration }
  }
}

const REFUSED = {
  'not-owner': notTheOwner,
  suspended: nameSuspended,
  'offer-exists': offerExists,
  'offer-ambiguous': offerAmbiguous,
}
