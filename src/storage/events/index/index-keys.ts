// The index columns of an event, computed once per event.

import { hash } from 'node:crypto'
import { isLowerHex } from '../../../lib/bytes.js'
import type { NostrEvent } from '../../../nostr/event/index.js'
import { addressText } from '../write/deletions.js'

/** The columns of an event's index rows, without `seq`. */
export interface IndexKeys {
  /** For `by_id`: prefix of the id. */
  readonly prefix: number
  readonly place: number
  readonly kind: number
  /** Prefix of the author's key. */
  readonly author: number
  /** For `by_tag`: hashes of the first values of single-letter tags, each once. */
  readonly tags: readonly number[]
  /** For `by_address`; undefined for events that are not replaceable. */
  readonly address: number | undefined
  /** NIP-40, epoch seconds; undefined: never. */
  readonly expires: number | undefined
}

const MAX_EXPIRY = 2 ** 47

export function indexKeysOf(event: NostrEvent): IndexKeys {
  const { kind, pubkey } = event
  const text = addressText(event)
  return {
    prefix: prefixOf(event.id),
    place: placeInTime(event.created_at, event.id),
    kind,
    author: prefixOf(pubkey),
    tags: tagHashes(event.tags),
    address: text === undefined ? undefined : addressHash(text),
    expires: expiryOf(event.tags),
  }
}

function tagHashes(tags: NostrEvent['tags']): readonly number[] {
  const hashes: number[] = []
  for (const [name, value] of tags) {
    if (name === undefined || value === undefined || !isLetter(name)) continue
    hashes.push(tagHash(name, value))
  }
  return hashes.length > 1 ? [...new Set(hashes)] : hashes
}

function isLetter(name: string): boolean {
  if (name.length !== 1) return false
  const code = name.charCodeAt(0) | 32
  return code >= 97 && code <= 122
}

/** The first valid `expiration`, in seconds. */
function expiryOf(tags: NostrEvent['tags']): number | undefined {
  for (const [name, value] of tags)
    if (name === 'expiration' && value !== undefined && /^\d{1,15}$/.test(value))
      return Math.min(Number(value), MAX_EXPIRY)
  return undefined
}

// The integers of the event indexes, six bytes at most. Values are represented by 48-bit hashes or prefixes, which may collide: readers compare
// with the event's text.

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

// The numbers of events that wait for their index rows, in typed arrays: tens of thousands of objects would load the garbage collector. An event is
// its position.

/** Events for which the columns have room at first. */
const FIRST_EVENTS = 1024
/** Events of a step of copying tags. */
const TAGS_AT_ONCE = 8192
/** Outside of the 48 bits of an address hash. */
export const NO_ADDRESS = 2 ** 47
const NEVER = Number.POSITIVE_INFINITY

const FLOAT_COLUMNS = ['seq', 'place', 'prefix', 'author', 'address', 'expires'] as const

/** Append-only. A column that grows is replaced, so no caller may keep one while events are added. */
export class KeyColumns {
  length = 0
  seq = new Float64Array(FIRST_EVENTS)
  place = new Float64Array(FIRST_EVENTS)
  prefix = new Float64Array(FIRST_EVENTS)
  author = new Float64Array(FIRST_EVENTS)
  /** `NO_ADDRESS` for events that are not replaceable. */
  address = new Float64Array(FIRST_EVENTS)
  /** Epoch seconds; infinite: never. */
  expires = new Float64Array(FIRST_EVENTS)
  kind = new Uint16Array(FIRST_EVENTS)
  /** Tags of the event at `at`: from `tagStart[at]` to `tagStart[at + 1]` in `tags`. */
  tagStart = new Int32Array(FIRST_EVENTS + 1)
  tags = new Float64Array(2 * FIRST_EVENTS)

  /** Returns the position. */
  add(seq: number, keys: IndexKeys): number {
    const { tags } = keys
    const at = this.#reserve(tags.length)
    this.seq[at] = seq
    this.place[at] = keys.place
    this.prefix[at] = keys.prefix
    this.author[at] = keys.author
    this.address[at] = keys.address ?? NO_ADDRESS
    this.expires[at] = keys.expires ?? NEVER
    this.kind[at] = keys.kind
    let to = this.tagStart[at] as number
    for (let nth = 0; nth < tags.length; nth++) this.tags[to++] = tags[nth] as number
    this.tagStart[at + 1] = to
    return at
  }

  /**
   * Copies the events at these positions, in this order. Each step copies one column, because all at once would take ten milliseconds; it yields the
   * number of copied values. No event may be added meanwhile.
   */
  *copying(kept: Int32Array): Generator<number, KeyColumns> {
    const copy = new KeyColumns()
    copy.length = kept.length
    for (const column of FLOAT_COLUMNS) {
      copy[column] = gathered(this[column], kept, new Float64Array(kept.length))
      yield kept.length
    }
    copy.kind = gathered(this.kind, kept, new Uint16Array(kept.length))
    copy.tagStart = new Int32Array(kept.length + 1)
    copy.tags = new Float64Array(this.tagStart[this.length] as number)
    for (let at = 0; at < kept.length; at++) {
      copy.#copyTags(this, kept[at] as number, at)
      if (at % TAGS_AT_ONCE === TAGS_AT_ONCE - 1) yield 2 * TAGS_AT_ONCE
    }
    return copy
  }

  #copyTags({ tags, tagStart }: KeyColumns, from: number, at: number): void {
    let to = this.tagStart[at] as number
    const end = tagStart[from + 1] as number
    for (let tag = tagStart[from] as number; tag < end; tag++) this.tags[to++] = tags[tag] as number
    this.tagStart[at + 1] = to
  }

  tagCount(at: number): number {
    return (this.tagStart[at + 1] as number) - (this.tagStart[at] as number)
  }

  tag(at: number, nth: number): number {
    return this.tags[(this.tagStart[at] as number) + nth] as number
  }

  /** The event of a position in `tags`. */
  ownerOfTag(tag: number): number {
    let low = 0
    let high = this.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.tagStart[middle] as number) <= tag) low = middle
      else high = middle - 1
    }
    return low
  }

  keys(at: number): IndexKeys {
    const address = this.address[at] as number
    const expires = this.expires[at] as number
    return {
      prefix: this.prefix[at] as number,
      place: this.place[at] as number,
      kind: this.kind[at] as number,
      author: this.author[at] as number,
      tags: Array.from(this.tags.subarray(this.tagStart[at], this.tagStart[at + 1])),
      address: address === NO_ADDRESS ? undefined : address,
      expires: expires === NEVER ? undefined : expires,
    }
  }

  /** The position of an event, or -1. The events must be in order of their numbers. */
  find(seq: number): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.seq[middle] as number) < seq) low = middle + 1
      else high = middle
    }
    return low < this.length && this.seq[low] === seq ? low : -1
  }

  /** Makes room for an event with so many tags, and returns its position. */
  #reserve(tags: number): number {
    const at = this.length++
    if (at === this.seq.length) this.#growEvents(Math.max(2 * at, FIRST_EVENTS))
    const needed = (this.tagStart[at] as number) + tags
    if (needed > this.tags.length)
      this.tags = grown(this.tags, new Float64Array(Math.max(needed, 2 * this.tags.length)))
    return at
  }

  #growEvents(size: number): void {
    this.seq = grown(this.seq, new Float64Array(size))
    this.place = grown(this.place, new Float64Array(size))
    this.prefix = grown(this.prefix, new Float64Array(size))
    this.author = grown(this.author, new Float64Array(size))
    this.address = grown(this.address, new Float64Array(size))
    this.expires = grown(this.expires, new Float64Array(size))
    this.kind = grown(this.kind, new Uint16Array(size))
    this.tagStart = grown(this.tagStart, new Int32Array(size + 1))
  }
}

/** Copies the values into a longer array. */
export function grown<T extends Float64Array | Int32Array | Uint16Array>(from: T, into: T): T {
  into.set(from)
  return into
}

/** The values at these positions. One loop for all columns is compiled soon, although it runs seldom. */
function gathered<T extends Float64Array | Uint16Array>(from: T, kept: Int32Array, into: T): T {
  for (let at = 0; at < kept.length; at++) into[at] = from[kept[at] as number] as number
  return into
}
