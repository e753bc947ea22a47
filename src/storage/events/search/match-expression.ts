// FTS5 expressions of a search. The terms hold letters, digits and underscores only, and are quoted.
import type { Filter } from '../../../nostr/filter/index.js'
import { inTitle } from '../../../nostr/search/index.js'

/** More authors are compared with the texts. */
const MAX_AUTHORS = 32
const AUTHOR_DIGITS = 12

export const kindTerm = (kind: number): string => `_k${kind}`
export const authorTerm = (pubkey: string): string => `_a${pubkey.slice(0, AUTHOR_DIGITS)}`

/** First what has all words in its name or title, then the rest. */
export type SearchPhase = 'title' | 'other'

export interface MatchExpression {
  /** One expression for all conditions. */
  readonly whole: string
  /** The conditions that must all hold; the rarest bounds the number of matches. */
  readonly parts: readonly string[]
}

export function matchExpression({ search, kinds = [], authors = [] }: Filter, phase: SearchPhase): MatchExpression {
  const terms = search?.terms ?? []
  const inTitles = terms.map((term) => quoted(inTitle(term)))
  const anywhere = terms.map((term) => anyOf([quoted(term), quoted(inTitle(term))]))
  const fixed = [
    anyOf(kinds.map((kind) => quoted(kindTerm(kind)))),
    ...(authors.length > 0 && authors.length <= MAX_AUTHORS
      ? [anyOf(authors.map((author) => quoted(authorTerm(author))))]
      : []),
  ]
  const parts = [...(phase === 'title' ? inTitles : anywhere), ...fixed]
  const all = parts.join(' AND ')
  return { parts, whole: phase === 'title' ? all : `(${all}) NOT (${inTitles.join(' AND ')})` }
}

const quoted = (term: string): string => `"${term}"`
const anyOf = (terms: readonly string[]): string => `(${terms.join(' OR ')})`
