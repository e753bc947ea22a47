// The integers of the event indexes, six bytes at most. Values are represented by 48-bit hashes or prefixes, which may collide: readers compare
// with the event's text.
import { hash } from 'node:crypto'
import { isLowerHex } from '../../../lib/bytes.js'

/** Hex digits of 48 bits. */
const DIGITS = 12
const HALF = 2 ** 47
/** Digits of an id or key. */
const KEY_DIGITS = 64
const LETTER_STEP = 2_199_023_255_579
const TIE = 2 ** 16
/** Times run from 0 to 2^32 - 1 seconds; centred, they fit into six signed bytes. */
const MIDDLE = 2 ** 31
export const LAST_TIME = 2 ** 32 - 1

const HALF_DIGITS = DIGITS / 2
const HALF_STEP = 16 ** HALF_DIGITS
/** Value of a hex digit, by character code. */
const VALUE_OF = new Uint8Array(128)
for (let value = 0; value < 16; value++) VALUE_OF[value.toString(16).charCodeAt(0)] = value

/** The first 48 bits of an id or key in lower-case hex, as a signed number. */
export const prefixOf = (hex: string): number => prefixNumber(hex) - HALF

const prefixNumber = (hex: string): number => halfPrefix(hex, 0) * HALF_STEP + halfPrefix(hex, HALF_DIGITS)

/** Half of the digits, so that the sum stays a small integer. */
function halfPrefix(hex: string, from: number): number {
  let sum = 0
  for (let at = from; at < from + HALF_DIGITS; at++) sum = (sum << 4) | (VALUE_OF[hex.charCodeAt(at)] ?? 0)
  return sum
}

/**
 * An event's place in time: later is greater, and within one second the lower id is greater, as lists are ordered (NIP-01). Events share a place
 * only if their ids agree in the first 16 bits, or beyond the last time.
 */
export const placeInTime = (createdAt: number, id: string): number =>
  placeFrom(createdAt, Number.parseInt(id.slice(0, 4), 16))

/** The same, from the first 16 bits of the id. */
export const placeFrom = (createdAt: number, idStart: number): number =>
  (Math.min(createdAt, LAST_TIME) - MIDDLE) * TIE + (TIE - 1 - idStart)

/** The second of a place. */
export const secondOf = (place: number): number => Math.floor(place / TIE) + MIDDLE

/** The lowest place of a second. */
export const firstPlaceOf = (createdAt: number): number => (createdAt - MIDDLE) * TIE
/** The highest place of a second. */
export const lastPlaceOf = (createdAt: number): number => firstPlaceOf(createdAt) + TIE - 1

/** Hash of a tag value under its letter. */
export function tagHash(letter: string, value: string): number {
  if (isLowerHex(value, KEY_DIGITS)) return hexHash(letter, value)
  return Number.parseInt(hash('sha256', `${letter}\0${value}`).slice(0, DIGITS), 16) - HALF
}

/** Ids and keys need no hash: colliding prefixes gain an attacker no more than naming one value twice. Letters lie far apart. */
const hexHash = (letter: string, value: string): number =>
  ((prefixNumber(value) + letter.charCodeAt(0) * LETTER_STEP) % (2 * HALF)) - HALF

/** Hash of an address, "kind:key:identifier". It cannot be chosen, because the identifier is hashed together with the key before it. */
export const addressHash = (address: string): number => tagHash('', address)
