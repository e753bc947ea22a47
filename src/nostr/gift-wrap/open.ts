// Opens a gift wrap, which is untrusted: the cheapest checks come first. Specification: invoicing, 4.3 to 4.6.
import { fromHex } from '../../lib/bytes.js'
import { parseJson } from '../../lib/parse-json.js'
import type { Secret } from '../../lib/secret.js'
import {
  eventId,
  GIFT_WRAP_KIND,
  hasTrueId,
  type NostrEvent,
  parseEvent,
  parseUnsigned,
  SEAL_KIND,
} from '../event/index.js'
import { isSignedBy, sharedX } from '../keys/index.js'
import { decrypt, type EncryptionContext, type PayloadRefusal, readPayload } from '../nip44/index.js'
import {
  type EnvelopeVersion,
  MAX_RUMOR_CONTENT,
  MAX_WRAP_CONTENT,
  type Rumor,
  SEAL_CONTEXT,
  WRAP_CONTEXT,
} from './envelope.js'

const KEY = /^[0-9a-f]{64}$/

/** `forged` is a fault of the relay: another event may have the same id. All other refusals are final and the author's fault. */
type WrapRefusal =
  | 'forged' // id or signature of the wrap
  | 'kind'
  | 'tags' // not exactly one: `p` with a key
  | 'too-large' // wrap or rumor
  | 'unreadable' // the wrap does not decrypt; `detail` says why
  | 'seal-malformed' // no event
  | 'seal-kind'
  | 'seal-forged' // id or signature of the seal
  | 'seal-unreadable'
  | 'rumor-malformed'
  | 'author-mismatch' // the seal is not by the author of the rumor

interface RefusedWrap {
  readonly refusal: WrapRefusal
  /** The reason why a layer does not decrypt, for the log. */
  readonly detail?: PayloadRefusal
}

export type OpenedWrap = { readonly rumor: Rumor; readonly version: EnvelopeVersion } | RefusedWrap

/**
 * The message in a gift wrap to the owner of `receiver`, and the version of its seal. Computes the rumor's id and ignores the one inside.
 * The caller chooses `receiver` by the wrap's `p` tag, and checks the rumor's kind. Never throws for untrusted input. Costs two
 * signature checks and two key agreements.
 */
export function openWrap(wrap: NostrEvent, receiver: Secret<Uint8Array>): OpenedWrap {
  const refusal = outerRefusal(wrap)
  if (refusal) return { refusal }
  const outer = openLayer(wrap, WRAP_CONTEXT, receiver)
  if ('refusal' in outer) return refusalOf('forged', 'unreadable', outer.refusal)
  // The limit on the wrap bounds length and depth of both layers.
  const seal = parseEvent(parseJson(outer.text))
  if (!seal) return { refusal: 'seal-malformed' }
  if (seal.kind !== SEAL_KIND) return { refusal: 'seal-kind' }
  if (!hasTrueId(seal)) return { refusal: 'seal-forged' }
  const inner = openLayer(seal, SEAL_CONTEXT, receiver)
  if ('refusal' in inner) return refusalOf('seal-forged', 'seal-unreadable', inner.refusal)
  return readRumor(inner, seal.pubkey)
}

/** The id comes first: refusals after it hold for every copy of the event. */
function outerRefusal(wrap: NostrEvent): WrapRefusal | undefined {
  if (!hasTrueId(wrap)) return 'forged'
  if (wrap.kind !== GIFT_WRAP_KIND) return 'kind'
  const [[name, key = ''] = [], ...others] = wrap.tags
  if (others.length > 0 || name !== 'p' || !KEY.test(key)) return 'tags'
  return Buffer.byteLength(wrap.content) > MAX_WRAP_CONTENT ? 'too-large' : undefined
}

interface OpenLayer {
  readonly text: string
  readonly version: EnvelopeVersion
}

/** Requires a valid event id. No step before the signature check costs more than a hash. */
function openLayer(
  { id, pubkey, content, sig }: NostrEvent,
  context: EncryptionContext,
  receiver: Secret<Uint8Array>,
): OpenLayer | { readonly refusal: PayloadRefusal | 'signature' } {
  const payload = readPayload(content, context)
  if ('refusal' in payload) return payload
  if (!isSignedBy(pubkey, fromHex(id, 32), sig)) return { refusal: 'signature' }
  const shared = sharedX(receiver, pubkey)
  if (!shared) return { refusal: 'key' }
  const decrypted = decrypt(payload, shared)
  return 'refusal' in decrypted ? decrypted : { text: decrypted.text, version: payload.version }
}

const refusalOf = (forged: WrapRefusal, unreadable: WrapRefusal, reason: PayloadRefusal | 'signature'): RefusedWrap =>
  reason === 'signature' ? { refusal: forged } : { refusal: unreadable, detail: reason }

function readRumor({ text, version }: OpenLayer, author: string): OpenedWrap {
  const unsigned = parseUnsigned(parseJson(text))
  if (!unsigned) return { refusal: 'rumor-malformed' }
  if (unsigned.pubkey !== author) return { refusal: 'author-mismatch' }
  if (Buffer.byteLength(unsigned.content) > MAX_RUMOR_CONTENT) return { refusal: 'too-large' }
  return { rumor: { id: eventId(unsigned), ...unsigned }, version }
}
