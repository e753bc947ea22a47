// The operator's lists, for commands. The relay may run meanwhile.
import { parsePubkey } from '../nostr/nip19/index.js'
import { entryOf, type ListChange, type ListName, type OperatorLists } from '../relay/policy/index.js'
import { systemClock } from '../system/index.js'
import { openListStore } from './parts/relay/lists.js'

export type { ListName }

/** A change of the lists; keys may be npub. */
export type ListOrder = Extract<ListChange, { readonly list: ListName }>

export interface ListOutcome {
  readonly list: ListName
  readonly entry: string
  readonly listed: boolean
  /** False: the list did not change. */
  readonly changed: boolean
}

export interface ListedView {
  readonly list: ListName
  readonly entry: string
  /** ISO 8601; null: written by hand, without a time. */
  readonly since: string | null
  readonly reason: string
}

const KEY_LISTS: readonly ListName[] = ['bannedKeys', 'allowedKeys', 'admins']
/** The author of changes in the audit log. */
const BY = 'command'

/** Throws LIST_ENTRY_INVALID, LIST_FULL, NOSTR_CODE_INVALID, FILE_LOCKED, DOCUMENT_DAMAGED. */
export async function changeRelayLists(dbPath: string, order: ListOrder): Promise<ListOutcome> {
  const { list } = order
  const entry = entryOf(list, KEY_LISTS.includes(list) ? parsePubkey(order.entry.trim()) : order.entry)
  const store = await openListStore({ dbPath, clock: systemClock })
  const was = isOn(store.read(), list, entry)
  const listed = order.do === 'add'
  const lists = await store.change({ ...order, entry }, BY)
  return { list, entry, listed: isOn(lists, list, entry), changed: was !== listed }
}

/** Entries of these lists, in order of insertion. Throws DOCUMENT_DAMAGED. */
export async function showRelayLists(dbPath: string, names: readonly ListName[]): Promise<readonly ListedView[]> {
  const lists = (await openListStore({ dbPath, clock: systemClock })).read()
  return names.flatMap((list) =>
    Array.from(lists[list], ([entry, { since, reason }]) => ({
      ...{ list, entry, reason },
      since: since === 0 ? null : new Date(since).toISOString(),
    })),
  )
}

const isOn = (lists: OperatorLists, list: ListName, entry: string): boolean => lists[list].has(entry)
