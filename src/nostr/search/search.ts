// A search of a filter (NIP-50): an event matches when every word occurs in its text; in a name or title the beginning of a word is enough.
import type { NostrEvent } from '../event/index.js'
import { demandedTerms, holdsTerms, searchTermsOf } from './terms.js'

/** Plain data. */
export interface Search {
  /** Not empty. */
  readonly terms: readonly string[]
}

const MAX_LENGTH = 256
/** So that a step of a search takes less than 2 ms: 1.2 ms with 12 frequent words of 100,000 events. */
const MAX_TERMS = 12
/** `key:value` words that NIP-50 defines. This relay supports none, and ignores them. */
const EXTENSION = /(?:^|\s)(?:include|domain|language|sentiment|nsfw):\S*/g

/** Undefined: there is no word to search for. */
export function parseSearch(text: string): Search | { readonly problem: string } | undefined {
  if (text.length > MAX_LENGTH) return { problem: `search is longer than ${MAX_LENGTH} characters` }
  const terms = demandedTerms(text.replace(EXTENSION, ' '))
  if (terms.length > MAX_TERMS)
    return { problem: `search has more than ${MAX_TERMS} words (without blanks between words: characters)` }
  return terms.length > 0 ? { terms } : undefined
}

const known = new WeakMap<object, ReadonlySet<string>>()

/** The terms of an event object are computed once, however many subscriptions search. */
export function isFound(event: NostrEvent, terms: readonly string[]): boolean {
  let own = known.get(event)
  if (!own) {
    own = searchTermsOf(event)
    known.set(event, own)
  }
  return holdsTerms(own, terms)
}
