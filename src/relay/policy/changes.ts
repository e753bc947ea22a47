// Changes of the operator's lists, by command or over HTTP: pure functions from lists to lists.
import { canonicalNetwork } from '../../lib/ip-network.js'
import { listEntryInvalid, listFull } from '../errors.js'
import type { Entries, OperatorLists } from './lists.js'
import { NEVER_STORED } from './rules.js'

export type ListName = Exclude<keyof OperatorLists, 'info'>
export type InfoName = keyof OperatorLists['info']

export type ListChange =
  | { readonly do: 'add' | 'remove'; readonly list: ListName; readonly entry: string; readonly reason: string }
  | { readonly do: 'say'; readonly what: InfoName; readonly text: string }

interface Kind {
  /** For people. */
  readonly what: string
  /** Returns the entry in its stored form, or undefined when it is invalid. */
  readonly read: (text: string) => string | undefined
}

const LAST_KIND = 65_535
const HEX = /^[0-9a-f]{64}$/i

const KEY: Kind = { what: 'key (64 hex digits)', read: (text) => (HEX.test(text) ? text.toLowerCase() : undefined) }
const EVENT: Kind = { ...KEY, what: 'event id (64 hex digits)' }
const ADDRESS: Kind = {
  what: 'IP address or network',
  read: canonicalNetwork,
}
const KIND: Kind = {
  what: `kind from 0 to ${LAST_KIND}`,
  read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= LAST_KIND ? String(Number(text)) : undefined),
}
const ALLOWED_KIND: Kind = {
  what: `kind from 0 to ${LAST_KIND}, but not ${NEVER_STORED}, which is never stored`,
  read: (text) => (Number(text) === NEVER_STORED ? undefined : KIND.read(text)),
}

/** The type of each list, and the list that cannot hold the same entry. */
const LISTS: Readonly<Record<ListName, Kind & { readonly opposite?: ListName }>> = {
  bannedKeys: { ...KEY, opposite: 'allowedKeys' },
  allowedKeys: { ...KEY, opposite: 'bannedKeys' },
  bannedEvents: EVENT,
  allowedKinds: { ...ALLOWED_KIND, opposite: 'bannedKinds' },
  bannedKinds: { ...KIND, opposite: 'allowedKinds' },
  blockedAddresses: ADDRESS,
  admins: KEY,
}

/** Limit of one list: every change copies the whole list. */
const MOST_ENTRIES = 100_000
const LONGEST_REASON = 500
const LONGEST_TEXT = 2000

/** `now` is epoch milliseconds. Throws LIST_ENTRY_INVALID, LIST_FULL. */
export function applyChange(lists: OperatorLists, change: ListChange, now: number): OperatorLists {
  if (change.do === 'say') return { ...lists, info: { ...lists.info, [change.what]: checkedText(change.text) } }
  const { list } = change
  const entry = entryOf(list, change.entry)
  if (change.do === 'remove') return { ...lists, [list]: without(lists[list], entry) }
  const { opposite } = LISTS[list]
  if (lists[list].size >= MOST_ENTRIES) throw listFull(MOST_ENTRIES)
  const listed = { reason: change.reason.slice(0, LONGEST_REASON), since: now }
  return {
    ...lists,
    ...(opposite && { [opposite]: without(lists[opposite], entry) }),
    [list]: new Map(lists[list]).set(entry, listed),
  }
}

const LIST_NAMES = Object.keys(LISTS) as readonly ListName[]

/** The changes that lead from one state of the lists to another, except for times. */
export function changesBetween(before: OperatorLists, after: OperatorLists): readonly ListChange[] {
  const lists = LIST_NAMES.flatMap((list) => [...removals(list, before, after), ...additions(list, before, after)])
  const names = new Set([...Object.keys(before.info), ...Object.keys(after.info)]) as ReadonlySet<InfoName>
  const infos = [...names].filter((what) => (before.info[what] ?? '') !== (after.info[what] ?? ''))
  return [...lists, ...infos.map((what): ListChange => ({ do: 'say', what, text: after.info[what] ?? '' }))]
}

const removals = (list: ListName, before: OperatorLists, after: OperatorLists): readonly ListChange[] =>
  [...before[list].keys()]
    .filter((entry) => !after[list].has(entry))
    .map((entry) => ({ do: 'remove', list, entry, reason: '' }))

const additions = (list: ListName, before: OperatorLists, after: OperatorLists): readonly ListChange[] =>
  [...after[list]]
    .filter(([entry, { reason }]) => before[list].get(entry)?.reason !== reason)
    .map(([entry, { reason }]) => ({ do: 'add', list, entry, reason }))

/** The list that cannot hold the same entry. */
export const oppositeOf = (list: ListName): ListName | undefined => LISTS[list].opposite

/** Returns the stored form of an entry. Throws LIST_ENTRY_INVALID. */
export function entryOf(list: ListName, text: string): string {
  const { what, read } = LISTS[list]
  const entry = read(text.trim())
  if (entry === undefined) throw listEntryInvalid(text.slice(0, 80), what)
  return entry
}

function without(entries: Entries, entry: string): Entries {
  if (!entries.has(entry)) return entries
  const others = new Map(entries)
  others.delete(entry)
  return others
}

function checkedText(text: string): string {
  if (text.length > LONGEST_TEXT)
    throw listEntryInvalid(text.slice(0, 80), `text of at most ${LONGEST_TEXT} characters`)
  return text
}
