// Parses a signed offer (specification: names, 10.1). Pure: the store checks who holds the name.
import { type NanoGrin, nanoGrin } from '../../grin/amount/index.js'
import { parseAddress } from '../../grin/slatepack/index.js'
import { GrinpayError } from '../../lib/errors.js'
import { objectOf, parseJsonBytes } from '../../lib/parse-json.js'
import { pastedWord } from '../../lib/pasted-text.js'
import type { Clock, Log } from '../../lib/ports.js'
import { isGenuine, type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import type { AuthoritySettings, TransferSettings, Transfers } from '../api.js'
import { invalidOffer, nameSuspended, notTheOwner, offerAmbiguous, offerExists, offerKeyMismatch } from '../errors.js'
import { type Offer, parseKey } from '../model.js'
import { isValidName, type NameBounds } from '../names/rules.js'
import type { OfferStore } from '../ports.js'

/** The event kind of offers; relays refuse it. */
const OFFER_KIND = 3402

interface OfferRules extends NameBounds {
  readonly domain: string
  readonly maxOfferSeconds: number
}

/** Terms parsed from the tags of an offer. */
type OfferTerms = Pick<Offer, 'name' | 'buyer' | 'price' | 'proofAddress' | 'expiration'>

/** Undefined for a missing or malformed tag, another domain, or an expiration in the past or too far ahead. `now`: unix seconds. */
function offerTermsOf({ tags }: NostrEvent, rules: OfferRules, now: number): OfferTerms | undefined {
  const name = lastTag(tags, 'name')
  const buyer = parseKey(lastTag(tags, 'p'))
  const price = nanoGrinOf(lastTag(tags, 'price'))
  const proofAddress = normaliseAddress(lastTag(tags, 'proof_address'))
  const expiration = Number(wholeNumberOf(lastTag(tags, 'expiration')) ?? 0n)
  if (!isValidName(name, rules) || lastTag(tags, 'domain') !== rules.domain) return undefined
  if (buyer === undefined || price === undefined || !keyOfAddress(proofAddress)) return undefined
  if (expiration <= now || expiration > now + rules.maxOfferSeconds) return undefined
  return { name, buyer, price, proofAddress, expiration }
}

/** The last of repeated tags counts, even when empty; a missing tag equals an empty one. */
const lastTag = (tags: NostrEvent['tags'], name: string): string =>
  tags.findLast(([first]) => first === name)?.[1] ?? ''

/** `{"offer": event}`: an event of kind 3402 with a valid id and signature. Throws INVALID_OFFER. */
function readOfferBody(body: Uint8Array): NostrEvent {
  const event = parseEvent(objectOf(parseJsonBytes(body)).offer)
  if (!event || event.kind !== OFFER_KIND || event.tags.some(isEmpty) || !isGenuine(event)) throw invalidOffer()
  return event
}

const isEmpty = (tag: readonly string[]): boolean => tag.length === 0

/** An unsigned 64-bit number in decimal, as existing clients may write it: blanks around it, a plus sign, leading zeros. */
export function wholeNumberOf(text: string): bigint | undefined {
  const digits = /^\+?0*(\d{1,20})$/.exec(text.trim())?.[1]
  const value = digits === undefined ? undefined : BigInt(digits)
  return value === undefined || value >= 2n ** 64n ? undefined : value
}

/** Whole nanogrin of a decimal text. */
export function nanoGrinOf(text: string): NanoGrin | undefined {
  const value = wholeNumberOf(text)
  return value === undefined ? undefined : nanoGrin(value)
}

// Slatepack addresses of either network, as users paste them.

/** Blanks, marks that a clipboard added and letter case do not count (specification: names, 10.1). */
export const normaliseAddress = (typed: string): string => pastedWord(typed).toLowerCase()

/** The key of a normalised `grin1…` or `tgrin1…`: 32 bytes. Undefined for everything else, bech32m included. */
export function keyOfAddress(address: string): Uint8Array | undefined {
  try {
    return parseAddress(address, address.startsWith('tgrin1') ? 'tgrin' : 'grin')
  } catch (thrown) {
    if (thrown instanceof GrinpayError) return undefined
    throw thrown
  }
}

// Creates an offer: refusals in a fixed order, then one write (specification: names, 10.2).

interface OfferCreatorParts {
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
