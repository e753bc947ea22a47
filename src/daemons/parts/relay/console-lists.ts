// Pages of the operator's lists, which may hold 100,000 entries each.
import { LIST_NAMES, type RelayDesk, type RelayListEntry, type RelayListName } from '../../../console/index.js'
import { formatNpub, parsePubkey } from '../../../nostr/nip19/index.js'
import { type Entries, entryOf, type OperatorLists, oppositeOf } from '../../../relay/policy/index.js'

const KEY_LISTS: readonly RelayListName[] = ['bannedKeys', 'allowedKeys', 'admins']

export function createListPages(lists: () => Promise<OperatorLists>): Pick<RelayDesk, 'list' | 'subject'> {
  return {
    async list({ list, prefix, after, limit }) {
      const all = await lists()
      const order = newestFirst(all[list])
      const wanted = searched(list, prefix)
      const matching = wanted === '' ? order : order.filter((entry) => entry.startsWith(wanted))
      const start = after === undefined ? 0 : matching.indexOf(after) + 1
      const shown = matching.slice(start, start + limit)
      const counts = LIST_NAMES.map((name) => [name, all[name].size] as const)
      return {
        counts: Object.fromEntries(counts) as Record<RelayListName, number>,
        entries: shown.flatMap((entry) => listedIn(all, list, entry) ?? []),
        next: start + limit < matching.length ? (shown.at(-1) ?? null) : null,
      }
    },
    async subject(list, text) {
      const all = await lists()
      const entry = entryOf(list, isKeyList(list) ? parsePubkey(text.trim()) : text)
      const opposite = oppositeOf(list)
      return {
        ...{ entry, opposite },
        npub: npubOf(list, entry),
        listed: listedIn(all, list, entry),
        isOnOpposite: opposite !== undefined && all[opposite].has(entry),
      }
    },
  }
}

const newestFirst = (entries: Entries): readonly string[] => [...entries.keys()].reverse()

const isKeyList = (list: RelayListName): boolean => KEY_LISTS.includes(list)

const npubOf = (list: RelayListName, entry: string): string | null => (isKeyList(list) ? formatNpub(entry) : null)

function listedIn(all: OperatorLists, list: RelayListName, entry: string): RelayListEntry | undefined {
  const found = all[list].get(entry)
  if (!found) return undefined
  const { since, reason } = found
  return { entry, npub: npubOf(list, entry), since: since === 0 ? null : since, reason }
}

/** An npub stands for its key; anything else is compared as it is, in lower case. */
function searched(list: RelayListName, prefix: string): string {
  if (!isKeyList(list) || !prefix.startsWith('npub1')) return prefix.toLowerCase()
  try {
    return parsePubkey(prefix)
  } catch {
    return prefix
  }
}
