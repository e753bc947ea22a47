// Words and tones of names, offers and their history: the same on every page, and in black and white the word alone tells.
import type { Tag } from '../../console/index.js'
import { formatNpub } from '../../nostr/nip19/index.js'
import type { NameStatus, NameView } from '../admin/index.js'
import type { AuditEntry, Offer } from '../model.js'

export const NAME_STATES: Readonly<Record<NameView['status'] | NameStatus['state'], Tag>> = {
  active: { text: 'active', tone: 'good' },
  suspended: { text: 'suspended', tone: 'bad' },
  released: { text: 'released', tone: 'quiet' },
  free: { text: 'free', tone: 'quiet' },
  reserved: { text: 'reserved', tone: 'warn' },
  taken: { text: 'look-alike taken', tone: 'warn' },
  invalid: { text: 'not allowed', tone: 'quiet' },
}

const OFFER_STATES: Readonly<Record<Offer['status'], Tag>> = {
  live: { text: 'open', tone: 'warn' },
  consumed: { text: 'sold', tone: 'good' },
  revoked: { text: 'revoked', tone: 'quiet' },
  expired: { text: 'expired', tone: 'quiet' },
}

/** An open offer whose time is over counts as ended before the authority has noted it. */
export const offerTag = ({ status, expiration }: Offer, now: number): Tag =>
  status === 'live' && expiration * 1000 < now ? OFFER_STATES.expired : OFFER_STATES[status]

const ACTIONS: Readonly<Record<string, string>> = {
  claim: 'claimed',
  release: 'released',
  transfer: 'sold',
  assign: 'assigned',
  evict: 'evicted',
  suspend: 'suspended',
  resume: 'suspension lifted',
  reserve: 'reserved',
  unreserve: 'no longer reserved',
  import: 'imported',
}

export const actionWord = (action: string): string => ACTIONS[action] ?? action

export const ACTORS: Readonly<Record<AuditEntry['actor'], string>> = {
  holder: 'its holder',
  sale: 'a sale',
  operator: 'an operator',
  import: 'an import',
}

/** `npub1abcde…wxyz` of 64 hex digits: enough to tell keys on a page apart; the whole npub is its title. */
export function keyCell(pubkey: string): { readonly text: string; readonly title: string } {
  const title = formatNpub(pubkey)
  return { text: `${title.slice(0, 10)}…${title.slice(-4)}`, title }
}

const RESERVED_BY = {
  'built-in': 'the built-in list',
  domain: 'the domain',
  file: 'the file of NAMEAUTH_RESERVED_FILE',
  command: 'an operator',
} as const

/** Who reserves a name, and which look-alike of it. */
export function reservedWords(name: string, { by, like }: NonNullable<NameStatus['reserved']>): string {
  return like === name ? RESERVED_BY[by] : `${RESERVED_BY[by]}, as a look-alike of ${like}`
}
