// The write rules as one ordered list (specification: relay, 6).

import { createAddressCheck } from '../../lib/ip-network.js'
import { AUTH_KIND, GIFT_WRAP_KIND } from '../../nostr/event/index.js'
import type { EventSource } from '../ports.js'
import { type Entries, kindsOf, type ListSource, type OperatorLists } from './lists.js'

/** The input of the rules. Members of the event are unchecked: a plugin gets whatever its relay sends. */
export interface PolicyRequest {
  readonly event: { readonly [Member in 'id' | 'pubkey' | 'kind' | 'tags']?: unknown }
  /** Authenticated keys of the connection. */
  readonly authed: readonly string[]
  /** A plugin does not know `type`; the rules then treat every source like a client. */
  readonly source: { readonly type?: EventSource['type']; readonly info: string }
}

interface PolicyRule {
  /** Number in the specification's table. Letters mark rules of our own. */
  readonly number: string
  /** wire: what the client reads. */
  readonly refusal: string
  readonly breaks: (writing: PolicyRequest, terms: PolicyTerms) => boolean
}

/** Checked in this order; the first broken one is the answer. */
export const RULES: readonly PolicyRule[] = [
  // The only one without a prefix (specification: relay, 6).
  { number: '0', refusal: 'bad event structure', breaks: ({ event }) => !isObject(event) },
  { number: '1', refusal: 'blocked: malformed event kind', breaks: ({ event }) => !Number.isInteger(event.kind) },
  {
    number: '2',
    refusal: 'blocked: event kind not accepted by this relay',
    breaks: ({ event }, { kinds }) => !kinds.has(Number(event.kind)),
  },
  {
    number: '3',
    refusal: 'blocked: malformed event tags',
    breaks: ({ event }) => isWrap(event) && !Array.isArray(event.tags),
  },
  {
    number: '4',
    refusal: 'blocked: expiration not allowed on gift wraps',
    breaks: ({ event }) => isWrap(event) && tagsOf(event).some((tag) => nameOf(tag) === 'expiration'),
  },
  {
    number: '5',
    refusal: 'blocked: gift wrap missing recipient',
    breaks: ({ event }) => isWrap(event) && !hasOneRecipient(tagsOf(event)),
  },
  {
    number: '6',
    refusal: 'blocked: gift wrap has extraneous tags',
    breaks: ({ event }) => isWrap(event) && tagsOf(event).length !== 1,
  },
  {
    number: '7',
    refusal: 'blocked: this relay accepts public notes only from authorized authors',
    breaks: ({ event }, { authors }) =>
      authors !== 'everyone' && NOTE_KINDS.has(Number(event.kind)) && !isAmong(authors, event.pubkey),
  },
  {
    number: '8',
    refusal: 'auth-required: publish after NIP-42 AUTH',
    breaks: (writing, { settings }) => settings.requireAuth && !hasProvenKey(writing),
  },
  {
    number: '8b',
    refusal: 'blocked: pubkey is not allowed to publish to this relay',
    breaks: ({ event }, { whitelist, settings }) =>
      whitelist !== undefined && settings.payMode === 'off' && !isAmong(whitelist, event.pubkey),
  },
  {
    number: '8c',
    refusal: 'blocked: this address may not publish to this relay',
    breaks: ({ source }, { blocksAddresses, isBlockedAddress }) => blocksAddresses && isBlockedAddress(source.info),
  },
  {
    number: '8d',
    refusal: 'blocked: this key may not publish to this relay',
    breaks: ({ event, authed }, { bannedKeys }) =>
      bannedKeys.size > 0 && (isAmong(bannedKeys, event.pubkey) || authed.some((key) => bannedKeys.has(key))),
  },
  {
    number: '8e',
    refusal: 'blocked: this event was removed by the operator',
    breaks: ({ event }, { bannedEvents }) => bannedEvents.size > 0 && isAmong(bannedEvents, event.id),
  },
  {
    number: '9',
    refusal: 'auth-required: paid publishing needs NIP-42 AUTH',
    breaks: (writing, { settings }) => settings.payMode === 'write' && !hasProvenKey(writing),
  },
  {
    number: '9b',
    refusal: 'auth-required: publishing gift wraps needs NIP-42 AUTH',
    breaks: (writing, { settings }) => settings.requireName && isWrap(writing.event) && !hasProvenKey(writing),
  },
]

/** The text of the first broken rule. */
export function firstBroken(writing: PolicyRequest, terms: PolicyTerms): string | undefined {
  for (const { breaks, refusal } of RULES) if (breaks(writing, terms)) return refusal
  return undefined
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

export const isWrap = ({ kind }: PolicyRequest['event']): boolean => kind === GIFT_WRAP_KIND

const tagsOf = ({ tags }: PolicyRequest['event']): readonly unknown[] => (Array.isArray(tags) ? tags : [])

const nameOf = (tag: unknown): unknown => (Array.isArray(tag) ? tag[0] : undefined)

const RECIPIENT = /^[0-9a-f]{64}$/

/** True for exactly one `p` tag with a value, and that value is a key. */
function hasOneRecipient(tags: readonly unknown[]): boolean {
  const [first, ...others] = tags.filter((tag) => nameOf(tag) === 'p' && Array.isArray(tag) && tag.length > 1)
  const value: unknown = Array.isArray(first) ? first[1] : undefined
  return others.length === 0 && typeof value === 'string' && RECIPIENT.test(value)
}

/** Compares keys case-insensitively, because operators copy them in either case. */
const isAmong = (keys: Pick<ReadonlySet<string>, 'has'>, value: unknown): boolean =>
  typeof value === 'string' && keys.has(value.toLowerCase())

/** Sources without a connection: no key can be authenticated there, and none is required. */
const BY_OPERATOR: ReadonlySet<EventSource['type'] | undefined> = new Set(['Import', 'Stream', 'Sync', 'Stored'])

export const isByOperator = ({ source }: PolicyRequest): boolean => BY_OPERATOR.has(source.type)

const hasProvenKey = (writing: PolicyRequest): boolean => isByOperator(writing) || writing.authed.some(isKey)

/** True for the form of an authenticated key. */
export const isKey = (text: string): boolean => text.length === 64

// Settings and lists in the form that the rules read. Rebuilt when the lists change, never per event.

interface PolicyTerms {
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

// The operator's settings about writing (specification: relay, 6 and 9.1), validated.

export interface PolicySettings {
  readonly kinds: Iterable<KindEntry>
  /** Kinds that are refused even if `kinds` contains them. */
  readonly blockedKinds: Iterable<KindEntry>
  /** Authors of public notes, 64 lower-case hex. Empty: public notes are refused. */
  readonly authors: ReadonlySet<string> | 'everyone'
  /** Keys that may write; undefined: every key. */
  readonly whitelist: ReadonlySet<string> | undefined
  /** Requires authentication before writing (NIP-42). */
  readonly requireAuth: boolean
  /** `write`: an authenticated key must have paid for writing. */
  readonly payMode: 'off' | 'write'
  /** The author must hold a name. For gift wraps, whose authors are throw-away keys, an authenticated key must. */
  readonly requireName: boolean
  /** Lifetime of a verdict of the authority. */
  readonly verdictSeconds: number
}

// Accepted kinds of events (specification: relay, 6).

/** Default kinds: profiles, gift wraps, lists, listings, and the kinds that wallets exchange. */
export const DEFAULT_KINDS: readonly number[] = [
  0, 1, 3, 5, 7, 13, 14, 16, 17, 1059, 1111, 10000, 10002, 10050, 24133, 24140, 27235, 30000, 30003, 30023, 30078,
  30402, 30405, 30406, 31990,
]

export const DEFAULT_POLICY: PolicySettings = {
  kinds: DEFAULT_KINDS,
  blockedKinds: [],
  authors: new Set(),
  whitelist: undefined,
  requireAuth: false,
  payMode: 'off',
  requireName: false,
  verdictSeconds: 60,
}

/** Public notes, accepted from listed authors only. */
export const NOTE_KINDS: ReadonlySet<number> = new Set([1, 30023])

/** AUTH events are never stored, whatever the lists say: each is for one connection of one relay. */
export const NEVER_STORED = AUTH_KIND

// A set of event kinds as a few ranges: "all kinds" costs no more than one kind.

/** Kinds from `first` to `last`, both included. */
interface KindRange {
  readonly first: number
  readonly last: number
}

export type KindEntry = number | KindRange

export interface KindSet {
  has(kind: number): boolean
  /** The kinds of the set, ascending, without those of listed ranges of more than `longest` kinds: "all" has 65,535. */
  values(longest?: number): Iterable<number>
}

/** The kinds of the first list without those of the second. Built once per change of settings or lists, then asked for every event. */
export function kindSetOf(included: readonly KindEntry[], excluded: readonly KindEntry[]): KindSet {
  const ranges = [...without(mergedRanges(included), mergedRanges(excluded))]
  return {
    has: (kind) => isInRanges(ranges, kind),
    values(longest = Number.POSITIVE_INFINITY) {
      const isLong = (entry: KindEntry) => lengthOf(rangeOf(entry)) > longest
      const short = mergedRanges(included.filter((entry) => !isLong(entry)))
      return kindsIn(without(short, mergedRanges([...included.filter(isLong), ...excluded])))
    },
  }
}

const lengthOf = ({ first, last }: KindRange): number => last - first + 1

const rangeOf = (entry: KindEntry): KindRange => (typeof entry === 'number' ? { first: entry, last: entry } : entry)

/** Ascending ranges that neither overlap nor touch. */
function mergedRanges(entries: Iterable<KindEntry>): readonly KindRange[] {
  const merged: { first: number; last: number }[] = []
  for (const { first, last } of [...entries].map(rangeOf).sort((a, b) => a.first - b.first)) {
    const before = merged.at(-1)
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last)
    else merged.push({ first, last })
  }
  return merged
}

/** Both lists as `mergedRanges` returns them; each is read once. */
function* without(ranges: readonly KindRange[], gaps: readonly KindRange[]): Generator<KindRange> {
  let next = 0
  for (const range of ranges) {
    let { first } = range
    for (let gap = gaps[next]; gap && gap.first <= range.last; gap = gaps[next]) {
      if (gap.first > first) yield { first, last: gap.first - 1 }
      first = Math.max(first, gap.last + 1)
      if (gap.last > range.last) break // it reaches into the next range too
      next++
    }
    if (first <= range.last) yield { first, last: range.last }
  }
}

/** Binary search. */
function isInRanges(ranges: readonly KindRange[], kind: number): boolean {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const { first, last } = ranges[middle] as KindRange
    if (kind < first) high = middle - 1
    else if (kind <= last) return true
    else low = middle + 1
  }
  return false
}

function* kindsIn(ranges: Iterable<KindRange>): Generator<number> {
  for (const { first, last } of ranges) for (let kind = first; kind <= last; kind++) yield kind
}
