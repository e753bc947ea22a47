// Deletion requests (NIP-09): what they name, and what they may delete. A request is stored like every event, and refuses its targets from then on.
import { createHash } from 'node:crypto'
import { classOf, GIFT_WRAP_KIND, identifierOf, type NostrEvent } from '../../../nostr/event/index.js'

export const DELETION_KIND = 5

export interface DeletionRules {
  /** Whether the recipient of a gift wrap may delete it. Its own key, which the sender holds, never may. */
  readonly giftWrapRecipientDelete: boolean
}

/** The members of an event that matter for deletions. */
type Deletable = Pick<NostrEvent, 'id' | 'pubkey' | 'created_at' | 'kind' | 'tags'>

/** The targets of a deletion. */
export interface DeletionTargets {
  /** 64 hex, each once. */
  readonly ids: readonly string[]
  /** Addresses of the deletion's author, in the form of `addressText`, each once. */
  readonly addresses: readonly string[]
  /** True when it names an address of another author, which refuses the whole deletion by rules 1. */
  readonly isForeign: boolean
}

/** The lasting effect of a deletion: events of this target are refused up to this time, or this place for a target of versions. */
export interface Mark {
  readonly target: string
  /** Epoch seconds or place, included. */
  readonly until: number
}

const ID = /^[0-9a-f]{64}$/
const ADDRESS = /^(\d{1,5}):([0-9a-f]{64})(?::(.*))?$/s
const FOR_EVER = 2 ** 47
/** Hex digits that identify an id or key: collisions are infeasible. */
const SHORT = 32

/** The address of a replaceable or addressable event; undefined for others. */
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

/** Normalises an address: the final colon of a replaceable one is optional. Undefined for invalid ones. */
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

/** The targets whose deletion marks refuse an event. */
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

/** True when a deletion that names an event's id may delete it. */
export function mayDelete(deletion: Deletable, event: Deletable, { giftWrapRecipientDelete }: DeletionRules): boolean {
  if (event.kind === DELETION_KIND) return false
  if (event.kind !== GIFT_WRAP_KIND) return deletion.pubkey === event.pubkey
  return giftWrapRecipientDelete && recipientsOf(event.tags).includes(deletion.pubkey)
}

/** True when naming this stored event refuses the deletion by rules 1. Gift wraps do not refuse it, so that their existence stays hidden. */
export const isForeign = (deletion: Deletable, event: Deletable): boolean =>
  event.kind !== GIFT_WRAP_KIND && event.pubkey !== deletion.pubkey

const recipientsOf = (tags: Deletable['tags']): readonly string[] =>
  tags.flatMap(([name, value]) => (name === 'p' && value !== undefined ? [value] : []))

const idTarget = (id: string, author: string): string => `${id.slice(0, SHORT)}${author.slice(0, SHORT)}`
const addressTarget = (address: string): string => createHash('sha256').update(address).digest('hex')

/** The target whose mark is the place of the newest version of an address that was deleted by id. */
export const versionTargetOf = (address: string): string => addressTarget(`version:${address}`)
