// The methods of NIP-86, as one table.

import { foreignText } from '../../lib/plain-text.js'
import { listEntryInvalid } from '../errors.js'
import {
  type Entries,
  type InfoName,
  type KindSet,
  kindsOf,
  type ListChange,
  type ListName,
  type ListSource,
} from '../policy/index.js'

/** A method on the lists; `by` is the manager's key. Throws LIST_ENTRY_INVALID and what changing the lists throws. */
type ManagementMethod = (parts: ManagementParts, params: readonly unknown[], by: string) => unknown

const put =
  (act: 'add' | 'remove', list: ListName): ManagementMethod =>
  async ({ lists }, [entry, reason], by) => {
    await lists.change({ do: act, list, entry: wordOf(entry), reason: typeof reason === 'string' ? reason : '' }, by)
    return true
  }

const say =
  (what: InfoName): ManagementMethod =>
  async ({ lists }, [text], by) => {
    if (typeof text !== 'string') throw listEntryInvalid(wordOf(text), 'text')
    await lists.change({ do: 'say', what, text }, by)
    return true
  }

/** `name`: the member that holds the entry in the answer. */
const show =
  (list: ListName, name: 'pubkey' | 'id' | 'ip'): ManagementMethod =>
  ({ lists }) =>
    shown(lists.current()[list], name)

const shown = (entries: Entries, name: string): readonly object[] =>
  Array.from(entries, ([entry, { reason }]) => ({ [name]: entry, ...(reason !== '' && { reason }) }))

/** Kinds of a range that `listallowedkinds` still lists one by one. */
const LONGEST_RANGE = 100

/**
 * NIP-86 knows single kinds only, and management clients show one row for each. Longer ranges are therefore left out: "20000-29999" adds nothing
 * to the list. Where all kinds are allowed the list is empty, as relays without an allow list answer; `listdisallowedkinds` has the exceptions.
 */
const allowedKinds: ManagementMethod = ({ kinds }) => [...kinds().values(LONGEST_RANGE)]

const ascending = (kinds: Iterable<number>): readonly number[] => [...kinds].sort((a, b) => a - b)

/** Kinds come as numbers, everything else as text. */
const wordOf = (value: unknown): string =>
  typeof value === 'string' || Number.isSafeInteger(value) ? foreignText(value) : (JSON.stringify(value) ?? 'nothing')

export const MANAGEMENT_METHODS: Readonly<Record<string, ManagementMethod>> = {
  supportedmethods: () => Object.keys(MANAGEMENT_METHODS).filter((name) => name !== 'supportedmethods'),
  banpubkey: put('add', 'bannedKeys'),
  unbanpubkey: put('remove', 'bannedKeys'),
  listbannedpubkeys: show('bannedKeys', 'pubkey'),
  allowpubkey: put('add', 'allowedKeys'),
  unallowpubkey: put('remove', 'allowedKeys'),
  listallowedpubkeys: show('allowedKeys', 'pubkey'),
  listeventsneedingmoderation: () => [],
  banevent: put('add', 'bannedEvents'),
  // No event waits for moderation, so allowing one only removes its ban.
  allowevent: put('remove', 'bannedEvents'),
  unbanevent: put('remove', 'bannedEvents'),
  listbannedevents: show('bannedEvents', 'id'),
  changerelayname: say('name'),
  changerelaydescription: say('description'),
  changerelayicon: say('icon'),
  allowkind: put('add', 'allowedKinds'),
  disallowkind: put('add', 'bannedKinds'),
  listallowedkinds: allowedKinds,
  listdisallowedkinds: ({ lists }) => ascending(kindsOf(lists.current().bannedKinds)),
  blockip: put('add', 'blockedAddresses'),
  unblockip: put('remove', 'blockedAddresses'),
  listblockedips: show('blockedAddresses', 'ip'),
}

// What managing the relay over HTTP needs (NIP-86).

interface ManagedLists extends ListSource {
  /** Resolves when the change is stored and in force, and banned events are deleted. `by` is the manager's key. */
  change(change: ListChange, by: string): Promise<void>
}

export interface ManagementParts {
  /** Addresses of the relay, ws or wss. Managers sign requests for one of them. */
  readonly relayUrls: readonly string[]
  /** Managers of the settings, 64 lower-case hex. Managers of the lists come on top. */
  readonly admins: readonly string[]
  readonly lists: ManagedLists
  /** Accepted kinds, with the lists applied. */
  readonly kinds: () => Pick<KindSet, 'values'>
  readonly clock: { now(): number }
  /**
   * True when this is the first use of an authorization event at any front end of the relay; `until` is epoch seconds. Absent: there is one front
   * end.
   */
  readonly claimUse?: ((id: string, until: number) => Promise<boolean>) | undefined
}
