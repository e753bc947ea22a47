// Readers of single values of the relay (specification: relay, 11.3).
import { bech32 } from '@scure/base'
import { toHex } from '../lib/bytes.js'
import { pastedWord } from '../lib/pasted-text.js'
import { baseAddress } from '../lib/url.js'
import type { KindEntry } from '../relay/index.js'
import { OFF_WORDS, ON_WORDS, reading, refuse } from './values.js'

export const flag = reading((text): boolean => {
  const word = text.toLowerCase()
  return ON_WORDS.includes(word) || (OFF_WORDS.includes(word) ? false : refuse('must be true or false'))
})

const words = (text: string): readonly string[] => [
  ...new Set(
    text
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  ),
]

export const texts = reading(words)

/** In the spelling that clients sign. */
export const relayUrls = reading((text): readonly string[] => [
  ...new Set(words(text).map((word) => baseAddress(word, ['wss', 'ws']))),
])

const LAST_KIND = 65_535

function kindOf(word: string): number {
  const kind = /^\d{1,5}$/.test(word) ? Number(word) : LAST_KIND + 1
  return kind <= LAST_KIND ? kind : refuse(`has a bad kind "${word}"`)
}

const filled = <T>(list: readonly T[]): readonly T[] => (list.length === 0 ? refuse('must not be empty') : list)

export const kinds = reading((text): readonly number[] => filled(words(text).map(kindOf)))

const ALL = 'all'
const RANGE = /^(\d{1,5})-(\d{1,5})$/

function kindEntryOf(word: string): KindEntry {
  if (word.toLowerCase() === ALL) return refuse(`must be "${ALL}" alone, or a list of kinds`)
  const range = RANGE.exec(word)
  if (!range) return kindOf(word)
  const [first, last] = [kindOf(range[1] ?? ''), kindOf(range[2] ?? '')]
  return first <= last ? { first, last } : refuse(`has a range that runs backwards: "${word}"`)
}

/** Kinds and ranges of kinds such as 20000-29999, or `all` alone. */
export const kindEntries = reading((text): readonly KindEntry[] => {
  const list = words(text)
  return list.length === 1 && list[0]?.toLowerCase() === ALL
    ? [{ first: 0, last: LAST_KIND }]
    : filled(list.map(kindEntryOf))
})

/** One Nostr key as 64 hex digits (upper or lower case) or npub, as lower-case hex; undefined for anything else. */
function keyOf(typed: string): string | undefined {
  const word = pastedWord(typed)
  if (/^[0-9a-f]{64}$/i.test(word)) return word.toLowerCase()
  const decoded = word.startsWith('npub1') ? bech32.decodeUnsafe(word) : undefined
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  return bytes?.length === 32 ? toHex(bytes) : undefined
}

export const key = reading((text) => keyOf(text) ?? refuse('must be an npub or 64 hex digits'))

export const keys = reading((text): readonly string[] =>
  words(text).map((word) => keyOf(word) ?? refuse(`has "${word}", which must be an npub or 64 hex digits`)),
)

export interface NoteAuthors {
  /** Keys as 64 lower-case hex. */
  readonly authors: readonly string[] | 'everyone'
  /** Entries that are no key. */
  readonly invalid: readonly string[]
}

const EVERYONE = 'everyone'

/** Entries that are no key are skipped with a notice: skipping lets no key in (specification: relay, 6). */
export const noteAuthors = reading((text): NoteAuthors => {
  const list = words(text)
  if (list.length === 1 && list[0]?.toLowerCase() === EVERYONE) return { authors: EVERYONE, invalid: [] }
  if (list.some((word) => word.toLowerCase() === EVERYONE))
    return refuse(`must be "${EVERYONE}" alone, or a list of keys`)
  const found = list.map((word) => ({ word, read: key(word) }))
  return {
    authors: found.flatMap(({ read }) => (read.success ? [read.value] : [])),
    invalid: found.flatMap(({ word, read }) => (read.success ? [] : [word])),
  }
})

/** What a header is called that a proxy writes the client's address into. */
export const addressHeader = reading((text): 'x-real-ip' | 'x-forwarded-for' => {
  const name = text.toLowerCase()
  return name === 'x-real-ip' || name === 'x-forwarded-for' ? name : refuse('must be x-real-ip or x-forwarded-for')
})

/** An address of this machine or network, without port. */
export const host = reading((text): string =>
  /^(?:[0-9a-fA-F:]+|[A-Za-z0-9.-]+)$/.test(text) ? text : refuse('must be a host name or an address'),
)
