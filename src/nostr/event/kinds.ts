// The kinds of events that a till writes and reads; the number is the contract of the NIP named beside it.

/** NIP-59: signed by the author of the message, readable by its receiver only. */
export const SEAL_KIND = 13
/** NIP-17: a private message; never signed, never on a relay by itself. */
export const RUMOR_KIND = 14
/** NIP-59: signed by a throw-away key, addressed to the receiver. */
export const GIFT_WRAP_KIND = 1059
/** NIP-65: the relays where a key reads and writes in public. */
export const PUBLIC_RELAYS_KIND = 10_002
/** NIP-17: the relays where a key reads its gift wraps, and in which encryption. */
export const RELAY_LIST_KIND = 10_050
/** NIP-42: who is asking, for one relay's eyes. */
export const AUTH_KIND = 22_242
/** NIP-98: who sends this HTTP request. */
export const HTTP_AUTH_KIND = 27_235
