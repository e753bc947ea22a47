// The integers that the event indexes are made of, all of at most six bytes. Lists are told apart by hashes of 48 bits, which may collide:
// whoever reads compares with the event's text.
import { createHash } from 'node:crypto'

const HASH_BYTES = 6
const TIE = 2 ** 16
/** Times run from 0 to 2^32 - 1 seconds; around the middle, so that they fit into six signed bytes. */
const MIDDLE = 2 ** 31
export const LAST_TIME = 2 ** 32 - 1

/** The first 48 bits of an id or key in hex, as a number with a sign. */
export const prefixOf = (hex: string): number => Number.parseInt(hex.slice(0, HASH_BYTES * 2), 16) - 2 ** 47

/**
 * An event's place in time: later is greater, and of one second the lower id is the greater one, as lists are ordered (NIP-01). Only ids that agree in
 * their first 16 bits share a place, and whatever is later than the last time.
 */
export const placeOf = (createdAt: number, id: string): number =>
  (Math.min(createdAt, LAST_TIME) - MIDDLE) * TIE + (TIE - 1 - Number.parseInt(id.slice(0, 4), 16))

/** The lowest place of a second. */
export const firstPlaceOf = (createdAt: number): number => (createdAt - MIDDLE) * TIE
/** The highest place of a second. */
export const lastPlaceOf = (createdAt: number): number => firstPlaceOf(createdAt) + TIE - 1

/** One tag value under its letter. */
export const tagHash = (letter: string, value: string): number =>
  createHash('sha256').update(letter).update('\0').update(value).digest().readIntBE(0, HASH_BYTES)

/** The address of a replaceable or addressable event, "kind:key:identifier"; kept beside the tags under no letter. */
export const addressHash = (address: string): number => tagHash('', address)
