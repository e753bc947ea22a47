// The write rules as one ordered list (specification: relay, 6).
import { GIFT_WRAP_KIND } from '../../nostr/event/index.js'
import type { EventSource } from '../ports.js'
import { NOTE_KINDS } from './kinds.js'
import type { PolicyTerms } from './terms.js'

/** The input of the rules. Members of the event are unchecked: a plugin gets whatever its relay sends. */
export interface PolicyRequest {
  readonly event: { readonly [Member in 'id' | 'pubkey' | 'kind' | 'tags']?: unknown }
  /** Authenticated keys of the connection. */
  readonly authed: readonly string[]
  /** A plugin does not know `type`; the rules then treat every source like a client. */
  readonly source: { readonly type?: EventSource['type']; readonly info: string }
}

export interface PolicyRule {
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
