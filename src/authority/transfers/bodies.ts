// Parses the bodies of offers and claims; their meaning is checked later (specification: names, 10.2 and 10.6).
import { objectOf, parseExact, parseJsonBytes, strictText } from '../../lib/parse-json.js'
import { isGenuine, type NostrEvent, parseEvent } from '../../nostr/event/index.js'
import { invalidBody, invalidOffer, invalidProof } from '../errors.js'
import { OFFER_KIND } from './offer.js'
import { type ClaimedProof, readClaimedProof } from './proof.js'

/** `{"offer": event}`: an event of kind 3402 with a valid id and signature. Throws INVALID_OFFER. */
export function readOfferBody(body: Uint8Array): NostrEvent {
  const event = parseEvent(objectOf(parseJsonBytes(body)).offer)
  if (!event || event.kind !== OFFER_KIND || event.tags.some(isEmpty) || !isGenuine(event)) throw invalidOffer()
  return event
}

export interface ClaimBody {
  readonly offerId: string
  readonly proof: ClaimedProof
}

/** `{"offer_id", "proof"}`. The signatures of the proof are verified later. Throws INVALID_BODY, INVALID_PROOF. */
export function readClaimBody(body: Uint8Array): ClaimBody {
  const members = objectOf(exactJson(body))
  const { offer_id: id } = members
  if (typeof id !== 'string' || !/^[0-9a-fA-F]{64}$/.test(id) || !('proof' in members)) throw invalidBody()
  const proof = readClaimedProof(members.proof)
  if (!proof) throw invalidProof()
  return { offerId: id.toLowerCase(), proof }
}

const isEmpty = (tag: readonly string[]): boolean => tag.length === 0

/** Amounts may be JSON numbers beyond 2^53. */
function exactJson(body: Uint8Array): unknown {
  try {
    return parseExact(strictText(body))
  } catch {
    return undefined
  }
}
