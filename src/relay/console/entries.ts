// Pages of the operator's lists, which may hold 100,000 entries each, and what a change of one is about.
import { formatNpub, parsePubkey } from '../../nostr/nip19/index.js'
import { type Entries, entryOf, type ListName, type OperatorLists, oppositeOf } from '../policy/index.js'

const KEY_LISTS: readonly ListName[] = ['bannedKeys', 'allowedKeys', 'admins']

interface ListQuery {
  readonly list: ListName
  /** The beginning of an entry, or an npub; empty: all. */
  readonly prefix: string
  /** The last entry of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/** Newest first; `next` is the last entry of this page, null: there are no more. */
export function entryPageOf(all: OperatorLists, { list, prefix, after, limit }: ListQuery) {
  const order = newestFirst(all[list])
  const wanted = searched(list, prefix)
  const matching = wanted === '' ? order : order.filter((entry) => entry.startsWith(wanted))
  const start = after === undefined ? 0 : matching.indexOf(after) + 1
  const shown = matching.slice(start, start + limit)
  return {
    entries: shown.flatMap((entry) => listedIn(all, list, entry) ?? []),
    next: start + limit < matching.length ? (shown.at(-1) ?? null) : null,
  }
}

export type ListSubject = ReturnType<typeof subjectOf>

/** The entry of a text as typed, in its stored form; keys may be npub. Throws LIST_ENTRY_INVALID, NOSTR_CODE_INVALID. */
export function subjectOf(all: OperatorLists, list: ListName, text: string) {
  const entry = entryOf(list, isKeyList(list) ? parsePubkey(text.trim()) : text)
  /** The list that adding takes it off. */
  const opposite = oppositeOf(list)
  return {
    ...{ entry, opposite },
    npub: npubOf(list, entry),
    /** Undefined: it is not on the list. */
    listed: listedIn(all, list, entry),
    isOnOpposite: opposite !== undefined && all[opposite].has(entry),
  }
}

const newestFirst = (entries: Entries): readonly string[] => [...entries.keys()].reverse()

const isKeyList = (list: ListName): boolean => KEY_LISTS.includes(list)

const npubOf = (list: ListName, entry: string): string | null => (isKeyList(list) ? formatNpub(entry) : null)

/** `since` is null for an entry that was written by hand, without a time. */
function listedIn(all: OperatorLists, list: ListName, entry: string) {
  const found = all[list].get(entry)
  if (!found) return undefined
  const { since, reason } = found
  return { entry, npub: npubOf(list, entry), since: since === 0 ? null : since, reason }
}

/** An npub stands for its key; anything else is compared as it is, in lower case. */
function searched(list: ListName, prefix: string): string {
  if (!isKeyList(list) || !prefix.startsWith('npub1')) return prefix.toLowerCase()
  try {
    return parsePubkey(prefix)
  } catch {
    return prefix
  }
}
