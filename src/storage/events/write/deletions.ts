// Deletion requests (NIP-09): what they name, and whom they bind. A request is kept like any event, and goes on to refuse what it names.
import { createHash } from 'node:crypto'
import { classOf, GIFT_WRAP_KIND, identifierOf, type NostrEvent } from '../../../nostr/event/index.js'

export const DELETION_KIND = 5

export interface DeletionRules {
  /** Whether the receiver of a gift wrap may have it deleted; its own key, which the sender holds, never may. */
  readonly giftWrapRecipientDelete: boolean
}

/** The members of an event that deletions look at. */
type Deletable = Pick<NostrEvent, 'id' | 'pubkey' | 'created_at' | 'kind' | 'tags'>

/** What a deletion names. */
export interface DeletionTargets {
  /** 64 hex, each once. */
  readonly ids: readonly string[]
  /** Addresses of the deletion's own author, written as `addressText` writes them, each once. */
  readonly addresses: readonly string[]
  /** Whether it names an address of somebody else, which refuses it as a whole. */
  readonly isForeign: boolean
}

/** What stays of a deletion for events that come later: those of this target are refused up to this time. */
export interface Mark {
  readonly target: string
  /** Epoch seconds, included. */
  readonly until: number
}

const ID = /^[0-9a-f]{64}$/
const ADDRESS = /^(\d{1,5}):([0-9a-f]{64})(?::(.*))?$/s
const FOR_EVER = 2 ** 47
/** Of 256 bits: nobody finds another id or key that begins like this. */
const SHORT = 32

/** What tells the versions of one replaceable or addressable event from all others; undefined for what is neither. */
export function addressText({ kind, pubkey, tags }: Deletable): string | undefined {
  const what = classOf(kind)
  if (what === 'regular' || what === 'ephemeral') return undefined
  return `${kind}:${pubkey}:${what === 'addressable' ? identifierOf(tags) : ''}`
}

export function deletionTargetsOf({ pubkey, tags }: Deletable): DeletionTargets {
  const ids = new Set<string>()
  const addresses = new Set<string>()
  let isForeign = false
  for (const [name, value] of tags) {
    if (value === undefined) continue
    if (name === 'e' && ID.test(value)) ids.add(value)
    const address = name === 'a' ? addressIn(value) : undefined
    if (address?.author === pubkey) addresses.add(address.text)
    else if (address) isForeign = true
  }
  return { ids: [...ids], addresses: [...addresses], isForeign }
}

/** An address in one form: the colon at the end of a replaceable one may be missing or not. Undefined for what has none. */
function addressIn(value: string): { readonly author: string; readonly text: string } | undefined {
  const [, kind, pubkey, identifier = ''] = ADDRESS.exec(value) ?? []
  if (kind === undefined || pubkey === undefined) return undefined
  const text = addressText({ id: '', pubkey, created_at: 0, kind: Number(kind), tags: [['d', identifier]] })
  return text === undefined ? undefined : { author: pubkey, text }
}

export function marksOf(
  { pubkey, created_at }: Deletable,
  { ids, addresses }: Pick<DeletionTargets, 'ids' | 'addresses'>,
): readonly Mark[] {
  return [
    ...ids.map((id) => ({ target: idTarget(id, pubkey), until: FOR_EVER })),
    ...addresses.map((address) => ({ target: addressTarget(address), until: created_at })),
  ]
}

/** The targets whose marks refuse an event. */
export function refusingTargetsOf(
  event: Deletable,
  address: string | undefined,
  rules: DeletionRules,
): readonly string[] {
  const { id, pubkey, kind, tags } = event
  if (kind === DELETION_KIND) return []
  if (kind === GIFT_WRAP_KIND)
    return rules.giftWrapRecipientDelete ? recipientsOf(tags).map((recipient) => idTarget(id, recipient)) : []
  return address === undefined ? [idTarget(id, pubkey)] : [idTarget(id, pubkey), addressTarget(address)]
}

/** Whether a deletion that names an event's id has a say over it. */
export function mayDelete(deletion: Deletable, event: Deletable, { giftWrapRecipientDelete }: DeletionRules): boolean {
  if (event.kind === DELETION_KIND) return false
  if (event.kind !== GIFT_WRAP_KIND) return deletion.pubkey === event.pubkey
  return giftWrapRecipientDelete && recipientsOf(event.tags).includes(deletion.pubkey)
}

/** Whether naming this stored event refuses the deletion. Gift wraps do not: whoever asks learns nothing about them. */
export const isForeign = (deletion: Deletable, event: Deletable): boolean =>
  event.kind !== GIFT_WRAP_KIND && event.pubkey !== deletion.pubkey

const recipientsOf = (tags: Deletable['tags']): readonly string[] =>
  tags.flatMap(([name, value]) => (name === 'p' && value !== undefined ? [value] : []))

const idTarget = (id: string, author: string): string => `${id.slice(0, SHORT)}${author.slice(0, SHORT)}`
const addressTarget = (address: string): string => createHash('sha256').update(address).digest('hex')
