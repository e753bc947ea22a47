// The row ids of the search index: an event's place in time, then 15 bits of its number. An event that shares both with an
// earlier one is left out of the index, which takes tens of thousands of deliberately chosen events within one second.
import type { IndexKeys } from '../index/index-keys.js'

const SEQ_BITS = 15n
const SEQ_MASK = (1n << SEQ_BITS) - 1n

export const searchRow = ({ place }: Pick<IndexKeys, 'place'>, seq: number): bigint =>
  (BigInt(place) << SEQ_BITS) | (BigInt(seq) & SEQ_MASK)

/** The first and the last row of a place. */
export const firstRowOf = (place: number): bigint => BigInt(place) << SEQ_BITS
export const lastRowOf = (place: number): bigint => firstRowOf(place) | SEQ_MASK
