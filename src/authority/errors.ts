// Why the authority refuses. Existing clients read every text: they are `wire` texts (specification: names, 4 to 10).
import { defineError } from '../lib/errors.js'

/** NIP-98 failures; the text is the one of the check that failed first (specification: names, 5). */
export const notAuthorized = defineError('NIP98_REFUSED', {
  status: 401,
  text: (why: string) => why,
  hint: 'sign a new NIP-98 event for this request',
})

export const limitReached = defineError('RATE_LIMITED', {
  status: 429,
  text: () => 'rate_limited',
  hint: 'retry after the seconds in Retry-After',
})
export const cooldownRuns = defineError('NAME_CHANGE_COOLDOWN', {
  status: 429,
  text: () => 'name_change_cooldown',
  hint: 'retry after the seconds in Retry-After, with a new signature',
})

export const invalidBody = defineError('INVALID_BODY', {
  status: 400,
  text: () => 'invalid body',
  hint: 'send one JSON object with the members in openapi.json',
})
export const invalidRequest = defineError('INVALID_REQUEST', {
  status: 400,
  text: () => 'invalid request',
  hint: 'give each query parameter once, percent-encoded as UTF-8',
})
export const invalidPubkey = defineError('INVALID_PUBKEY', {
  status: 400,
  text: () => 'invalid pubkey',
  hint: 'send the key as 64 hex digits',
})
export const pubkeyMismatch = defineError('PUBKEY_MISMATCH', {
  status: 401,
  text: () => 'auth pubkey does not match body pubkey',
  hint: 'sign with the key that claims the name',
})
export const invalidName = defineError('INVALID_NAME', {
  status: 400,
  text: () => 'invalid name',
  hint: 'use a-z, 0-9, dot, dash, underscore, with a letter or digit at both ends',
})
export const nameReserved = defineError('NAME_RESERVED', {
  status: 403,
  text: () => 'name reserved',
  hint: 'choose another name',
})
/** Before anything is paid. Clients read `db error`, as of every failure of the database (specification: names, 6 "Register", 14). */
export const databaseFull = defineError('DATABASE_FULL', {
  status: 500,
  text: () => 'the disk is full: no name is claimed',
  hint: 'operator: make room on the disk: grinpay doctor nameauth says how much',
})
export const nameTaken = defineError('NAME_TAKEN', {
  status: 409,
  text: () => 'name taken',
  hint: 'choose another name; look-alikes count as one',
})
export const nameSuspended = defineError('NAME_SUSPENDED', {
  status: 403,
  text: () => 'name suspended',
  hint: 'ask the operator of this name authority',
})
export const nameNotFound = defineError('NAME_NOT_FOUND', {
  status: 404,
  text: () => 'name not found',
  hint: 'no key holds this name',
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
  hint: 'check the path against openapi.json',
})

/** The buyer of a name holds another one; the member `name` says which (`telling`). */
export const pubkeyHasName = defineError('PUBKEY_HAS_NAME', {
  status: 409,
  text: () => 'pubkey already has a name',
  hint: 'release the name in "name" first, then claim again',
})
export const paymentRequired = defineError('PAYMENT_REQUIRED', {
  status: 402,
  text: () => 'payment_required',
  hint: 'pay the invoice at pay_url, wait for confirmation, then sign the request again',
})
export const paymentBackendUnavailable = defineError('PAYMENT_BACKEND_UNAVAILABLE', {
  status: 503,
  text: () => 'payment backend unavailable, try again',
  hint: 'operator: check NAMEAUTH_PAY_URL and its token',
})
export const notForSale = defineError('NOT_FOR_SALE', {
  status: 400,
  text: () => 'resource not for sale on this authority',
  hint: 'ask for the resource that this authority sells',
})
export const badWebhookSignature = defineError('BAD_SIGNATURE', {
  status: 401,
  text: () => 'bad signature',
  hint: 'use the same webhook secret on both sides',
})

export const invalidOffer = defineError('INVALID_OFFER', {
  status: 400,
  text: () => 'invalid offer',
  hint: 'send an event of kind 3402 with name, domain, p, price, proof_address and expiration, signed by the holder',
})
export const offerKeyMismatch = defineError('OFFER_PUBKEY_MISMATCH', {
  status: 401,
  text: () => 'auth pubkey does not match offer pubkey',
  hint: 'sign with the key that signed the offer',
})
export const offerExists = defineError('OFFER_EXISTS', {
  status: 409,
  text: () => 'offer_exists',
  hint: 'revoke the earlier offer of this name first',
})
export const offerAmbiguous = defineError('OFFER_AMBIGUOUS', {
  status: 409,
  text: () => 'offer_ambiguous',
  hint: 'use a fresh address for each sale',
})
export const offerConsumed = defineError('OFFER_CONSUMED', {
  status: 409,
  text: () => 'offer_consumed',
  hint: 'the name was sold; sign a new offer',
})
export const offerRevoked = defineError('OFFER_REVOKED', {
  status: 410,
  text: () => 'offer_revoked',
  hint: 'ask the seller for a new offer',
})
export const offerExpired = defineError('OFFER_EXPIRED', {
  status: 410,
  text: () => 'offer_expired',
  hint: 'ask the seller for a new offer',
})
export const notTheBuyer = defineError('NOT_THE_BUYER', {
  status: 401,
  text: () => 'not the buyer',
  hint: "sign with the buyer's key in the offer",
})
export const ownerChanged = defineError('OWNER_CHANGED', {
  status: 409,
  text: () => 'owner_changed',
  hint: 'the seller no longer holds the name: contact the seller',
})
export const invalidProof = defineError('INVALID_PROOF', {
  status: 400,
  text: () => 'invalid proof',
  hint: 'send the payment proof as the wallet exported it',
})
export const proofAddressMismatch = defineError('PROOF_ADDRESS_MISMATCH', {
  status: 409,
  text: () => 'proof_address_mismatch',
  hint: 'pay to the address in the offer',
})
export const proofAmountMismatch = defineError('PROOF_AMOUNT_MISMATCH', {
  status: 409,
  text: () => 'proof_amount_mismatch',
  hint: 'pay exactly the price in the offer',
})
export const paymentUnconfirmed = defineError('PAYMENT_UNCONFIRMED', {
  status: 409,
  text: () => 'payment_unconfirmed',
  hint: 'wait for more confirmations, then sign the claim again',
})
export const proofReused = defineError('PROOF_REUSED', {
  status: 409,
  text: () => 'proof_reused',
  hint: 'make a separate payment for each sale',
})

/** What the framework refuses, in the words for clients (specification: names, 4). */
export const methodNotAllowed = defineError('METHOD_NOT_ALLOWED', {
  status: 405,
  text: () => 'method not allowed',
  hint: 'use a method in the header Allow',
})
export const requestBodyTooLarge = defineError('BODY_TOO_LARGE', {
  status: 413,
  text: () => 'body too large',
  hint: 'send at most 16 KiB',
})
