// The three layers of a private message (NIP-59): rumor (unsigned), seal (signed by its author), gift wrap (signed by a throw-away
// key). Specification: invoicing, 4.3.
import { GIFT_WRAP_KIND, type NostrEvent, RELAY_LIST_KIND, SEAL_KIND, type UnsignedEvent } from '../event/index.js'
import type { EncryptionContext, Nip44Version } from '../nip44/index.js'

/** Bytes (specification: invoicing, 4.4). */
export const MAX_WRAP_CONTENT = 65_536
export const MAX_RUMOR_CONTENT = 32_768

/** NIP-44 version of both layers of a message. */
export type EnvelopeVersion = Nip44Version

/** The message itself. Its id is always computed, never read. */
export interface Rumor extends UnsignedEvent {
  readonly id: string
}

export const SEAL_CONTEXT: EncryptionContext = { kind: SEAL_KIND, scope: '' }
export const WRAP_CONTEXT: EncryptionContext = { kind: GIFT_WRAP_KIND, scope: '' }

const METHODS: Readonly<Record<string, EnvelopeVersion>> = { nip44_v2: 2, nip44_v3: 3 }

/** The encryption for the owner of this kind 10050 event: the first known method of its list, else version 2. */
export function envelopeVersionFor(relayList: NostrEvent | undefined): EnvelopeVersion {
  if (relayList?.kind !== RELAY_LIST_KIND) return 2
  const [, methods = ''] = relayList.tags.find(([name]) => name === 'encryption') ?? []
  const known = methods.split(' ').find((method) => Object.hasOwn(METHODS, method))
  return (known && METHODS[known]) || 2
}
