// Why the authority refuses. Every text is read by existing clients: `wire` texts of specification names, 4 to 10.
import { defineError } from '../lib/errors.js'

/** NIP-98 failures; the text is the one of the check that failed first (specification: names, 5). */
export const notAuthorized = defineError('NIP98_REFUSED', {
  status: 401,
  text: (why: string) => why,
  hint: 'sign a new NIP-98 event for exactly this request',
})

export const limitReached = defineError('RATE_LIMITED', {
  status: 429,
  text: () => 'rate_limited',
  hint: 'wait for the seconds in Retry-After',
})
export const cooldownRuns = defineError('NAME_CHANGE_COOLDOWN', {
  status: 429,
  text: () => 'name_change_cooldown',
  hint: 'wait for the seconds in Retry-After, then sign again',
})

export const invalidBody = defineError('INVALID_BODY', {
  status: 400,
  text: () => 'invalid body',
  hint: 'send the members that openapi.json lists, as one JSON object',
})
export const invalidRequest = defineError('INVALID_REQUEST', {
  status: 400,
  text: () => 'invalid request',
  hint: 'check the address: each query parameter once, percent-encoding in UTF-8',
})
export const invalidPubkey = defineError('INVALID_PUBKEY', {
  status: 400,
  text: () => 'invalid pubkey',
  hint: 'send the key as 64 hex digits',
})
export const pubkeyMismatch = defineError('PUBKEY_MISMATCH', {
  status: 401,
  text: () => 'auth pubkey does not match body pubkey',
  hint: 'sign with the key that is to hold the name',
})
export const invalidName = defineError('INVALID_NAME', {
  status: 400,
  text: () => 'invalid name',
  hint: 'use a-z, 0-9, dots, dashes and underscores, with a letter or digit at both ends',
})
export const nameReserved = defineError('NAME_RESERVED', {
  status: 403,
  text: () => 'name reserved',
  hint: 'choose another name',
})
export const nameTaken = defineError('NAME_TAKEN', {
  status: 409,
  text: () => 'name taken',
  hint: 'choose another name; names that look alike count as one',
})
export const nameSuspended = defineError('NAME_SUSPENDED', {
  status: 403,
  text: () => 'name suspended',
  hint: 'ask the operator of this name authority',
})
export const nameNotFound = defineError('NAME_NOT_FOUND', {
  status: 404,
  text: () => 'name not found',
  hint: 'no key holds this name now',
})
export const notTheOwner = defineError('NOT_THE_OWNER', {
  status: 403,
  text: () => 'not the owner',
  hint: 'sign with the key that holds the name',
})
/** `not found` of everything but a release. */
export const nothingHere = defineError('NOT_FOUND', {
  status: 404,
  text: () => 'not found',
  hint: 'check the address; openapi.json lists them all',
})

/** The buyer of a name holds another one; the member `name` says which (`telling`). */
export const pubkeyHasName = defineError('PUBKEY_HAS_NAME', {
  status: 409,
  text: () => 'pubkey already has a name',
  hint: 'release the name of the member "name" first, then claim again',
})
export const paymentRequired = defineError('PAYMENT_REQUIRED', {
  status: 402,
  text: () => 'payment_required',
  hint: 'pay the invoice at pay_url, wait until it is confirmed, then sign the same request anew',
})
export const paymentBackendUnavailable = defineError('PAYMENT_BACKEND_UNAVAILABLE', {
  status: 503,
  text: () => 'payment backend unavailable, try again',
  hint: 'the operator checks NAMEAUTH_PAY_URL and its token',
})
export const notForSale = defineError('NOT_FOR_SALE', {
  status: 400,
  text: () => 'resource not for sale on this authority',
  hint: 'ask for the resource that this authority sells, if any',
})
export const badWebhookSignature = defineError('BAD_SIGNATURE', {
  status: 401,
  text: () => 'bad signature',
  hint: 'use the same webhook secret on both sides',
})

export const invalidOffer = defineError('INVALID_OFFER', {
  status: 400,
  text: () => 'invalid offer',
  hint: 'lodge an event of kind 3402 with name, domain, p, price, proof_address and expiration, signed by the holder',
})
export const offerKeyMismatch = defineError('OFFER_PUBKEY_MISMATCH', {
  status: 401,
  text: () => 'auth pubkey does not match offer pubkey',
  hint: 'sign the request with the key that signed the offer',
})
export const offerExists = defineError('OFFER_EXISTS', {
  status: 409,
  text: () => 'offer_exists',
  hint: 'revoke the earlier offer of this name first, then sign a new one',
})
export const offerAmbiguous = defineError('OFFER_AMBIGUOUS', {
  status: 409,
  text: () => 'offer_ambiguous',
  hint: 'use a fresh address for each sale',
})
export const offerConsumed = defineError('OFFER_CONSUMED', {
  status: 409,
  text: () => 'offer_consumed',
  hint: 'the name was sold under this offer; make a new one',
})
export const offerRevoked = defineError('OFFER_REVOKED', {
  status: 410,
  text: () => 'offer_revoked',
  hint: 'the seller lodges a new offer',
})
export const offerExpired = defineError('OFFER_EXPIRED', {
  status: 410,
  text: () => 'offer_expired',
  hint: 'the seller lodges a new offer',
})
export const notTheBuyer = defineError('NOT_THE_BUYER', {
  status: 401,
  text: () => 'not the buyer',
  hint: 'sign with the key that the offer names as the buyer',
})
export const ownerChanged = defineError('OWNER_CHANGED', {
  status: 409,
  text: () => 'owner_changed',
  hint: 'the seller does not hold the name any more; settle it with the seller',
})
export const invalidProof = defineError('INVALID_PROOF', {
  status: 400,
  text: () => 'invalid proof',
  hint: 'send the payment proof exactly as the wallet exported it',
})
export const proofAddressMismatch = defineError('PROOF_ADDRESS_MISMATCH', {
  status: 409,
  text: () => 'proof_address_mismatch',
  hint: 'the payment must go to the address of the offer',
})
export const proofAmountMismatch = defineError('PROOF_AMOUNT_MISMATCH', {
  status: 409,
  text: () => 'proof_amount_mismatch',
  hint: 'the payment must be exactly the price of the offer',
})
export const paymentUnconfirmed = defineError('PAYMENT_UNCONFIRMED', {
  status: 409,
  text: () => 'payment_unconfirmed',
  hint: 'wait for more confirmations, then sign and send the claim again',
})
export const proofReused = defineError('PROOF_REUSED', {
  status: 409,
  text: () => 'proof_reused',
  hint: 'every sale needs a payment of its own',
})

/** What the framework refuses, in the words of specification names, 4. */
export const methodNotAllowed = defineError('METHOD_NOT_ALLOWED', {
  status: 405,
  text: () => 'method not allowed',
  hint: 'use one of the methods in the header Allow',
})
export const requestBodyTooLarge = defineError('BODY_TOO_LARGE', {
  status: 413,
  text: () => 'body too large',
  hint: 'send at most 16 KiB',
})
