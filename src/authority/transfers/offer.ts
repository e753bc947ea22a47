// Parses a signed offer (specification: names, 10.1). Pure: the store checks who holds the name.
import { type NanoGrin, nanoGrin } from '../../grin/amount/index.js'
import type { NostrEvent } from '../../nostr/event/index.js'
import { keyOf } from '../keys.js'
import type { Offer } from '../model.js'
import { isValidName, type NameBounds } from '../names/index.js'
import { keyOfAddress, normaliseAddress } from './address.js'

/** The event kind of offers; relays refuse it. */
export const OFFER_KIND = 3402

export interface OfferRules extends NameBounds {
  readonly domain: string
  readonly maxOfferSeconds: number
}

/** Terms parsed from the tags of an offer. */
export type OfferTerms = Pick<Offer, 'name' | 'buyer' | 'price' | 'proofAddress' | 'expiration'>

/** Undefined for a missing or malformed tag, another domain, or an expiration in the past or too far ahead. `now`: unix seconds. */
export function offerTermsOf({ tags }: NostrEvent, rules: OfferRules, now: number): OfferTerms | undefined {
  const name = lastTag(tags, 'name')
  const buyer = keyOf(lastTag(tags, 'p'))
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
