// Settings and lists in the form that the rules read. Rebuilt when the lists change, never per event.
import { createAddressCheck } from '../../lib/ip-network.js'
import { type KindSet, kindSetOf } from './kind-set.js'
import { NEVER_STORED } from './kinds.js'
import { type Entries, kindsOf, type ListSource, type OperatorLists } from './lists.js'
import type { PolicySettings } from './settings.js'

export interface PolicyTerms {
  readonly settings: PolicySettings
  /** Accepted kinds. */
  readonly kinds: KindSet
  /** Authors of public notes. */
  readonly authors: ReadonlySet<string> | 'everyone'
  readonly whitelist: ReadonlySet<string> | undefined
  readonly bannedKeys: Entries
  readonly bannedEvents: Entries
  readonly isBlockedAddress: (address: string) => boolean
  /** False: no address is banned, so rules skip the check. */
  readonly blocksAddresses: boolean
}

export function policyTermsOf(settings: PolicySettings, lists: OperatorLists): PolicyTerms {
  const allowed = [...lists.allowedKeys.keys()]
  return {
    settings,
    kinds: kindSetOf(
      [...settings.kinds, ...kindsOf(lists.allowedKinds)],
      [...settings.blockedKinds, ...kindsOf(lists.bannedKinds), NEVER_STORED],
    ),
    authors: settings.authors === 'everyone' ? 'everyone' : new Set([...settings.authors, ...allowed]),
    whitelist: settings.whitelist && new Set([...settings.whitelist, ...allowed]),
    bannedKeys: lists.bannedKeys,
    bannedEvents: lists.bannedEvents,
    isBlockedAddress: createAddressCheck([...lists.blockedAddresses.keys()]),
    blocksAddresses: lists.blockedAddresses.size > 0,
  }
}

/** Returns the current terms; rebuilds them after a change of the lists. */
export function createTerms(settings: PolicySettings, lists: ListSource): () => PolicyTerms {
  let seen = lists.current()
  let terms = policyTermsOf(settings, seen)
  return () => {
    const now = lists.current()
    if (now !== seen) {
      seen = now
      terms = policyTermsOf(settings, now)
    }
    return terms
  }
}
