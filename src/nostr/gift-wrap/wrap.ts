// Makes a gift wrap. Specification: invoicing, 4.3.

import { utf8 } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { Secret } from '../../lib/secret.js'
import { eventId, type NostrEvent, RUMOR_KIND, signWith } from '../event/index.js'
import { freshSecret, publicKeyOf, sharedX } from '../keys/index.js'
import { type EncryptionContext, encrypt } from '../nip44/index.js'
import {
  type EnvelopeVersion,
  MAX_RUMOR_CONTENT,
  MAX_WRAP_CONTENT,
  type Rumor,
  SEAL_CONTEXT,
  WRAP_CONTEXT,
} from './envelope.js'

/** Both layers are backdated by up to two days (in seconds), which hides the real time from observers of a relay. */
const MAX_BACKDATING = 172_800

/** A message with its author and receiver. */
export interface Message {
  readonly content: string
  readonly tags: readonly (readonly string[])[]
  readonly sender: Secret<Uint8Array>
  /** 64 lower-case hex. */
  readonly receiver: string
  readonly version: EnvelopeVersion
  /** Epoch milliseconds: the real time, visible to the receiver only. */
  readonly now: number
}

/** The random values of one layer. Never use one twice. */
interface LayerSecrets {
  /** Unix seconds. */
  readonly createdAt: number
  /** 32 bytes each. */
  readonly nonce: Uint8Array
  readonly auxiliary: Uint8Array
}

export interface WrapSecrets {
  readonly seal: LayerSecrets
  readonly wrap: LayerSecrets
  /** Signs this one wrap. */
  readonly oneTimeKey: Secret<Uint8Array>
}

export interface WrappedMessage {
  readonly wrap: NostrEvent
  readonly rumor: Rumor
}

/** Seals and wraps a kind-14 message. Throws RangeError for an invalid receiver key or a message that is too large. */
export const wrapMessage = (input: Message & { readonly random: RandomBytes }): WrappedMessage =>
  wrapWith(drawSecrets(input.random, Math.floor(input.now / 1000)), input)

/** `wrapMessage` with given secrets: for replaying recorded messages. */
export function wrapWith(secrets: WrapSecrets, message: Message): WrappedMessage {
  const { sender, receiver } = message
  const rumor = rumorOf(message)
  const seal = layerOf(rumor, { from: sender, context: SEAL_CONTEXT, tags: [], ...secrets.seal }, message)
  const { oneTimeKey } = secrets
  const wrap = layerOf(
    seal,
    { from: oneTimeKey, context: WRAP_CONTEXT, tags: [['p', receiver]], ...secrets.wrap },
    message,
  )
  if (wrap.content.length > MAX_WRAP_CONTENT) throw new RangeError(`a gift wrap of ${wrap.content.length} bytes`)
  return { wrap, rumor }
}

function rumorOf({ sender, now, tags, content }: Message): Rumor {
  const length = utf8(content).length
  if (length > MAX_RUMOR_CONTENT) throw new RangeError(`a message of ${length} bytes`)
  const unsigned = { pubkey: publicKeyOf(sender), created_at: Math.floor(now / 1000), kind: RUMOR_KIND, tags, content }
  return { id: eventId(unsigned), ...unsigned }
}

interface Layer extends LayerSecrets {
  readonly from: Secret<Uint8Array>
  readonly context: EncryptionContext
  readonly tags: readonly (readonly string[])[]
}

/** An event that contains another one, encrypted to the receiver. */
function layerOf(inner: Rumor | NostrEvent, layer: Layer, { receiver, version }: Message): NostrEvent {
  const { from, context, tags, createdAt, nonce, auxiliary } = layer
  const shared = sharedX(from, receiver)
  if (!shared) throw new RangeError(`the receiver ${receiver} is no point of the curve`)
  const content = encrypt(JSON.stringify(inner), { version, shared, nonce, ...context })
  return signWith(auxiliary, { created_at: createdAt, kind: context.kind, tags, content }, from)
}

function drawSecrets(random: RandomBytes, now: number): WrapSecrets {
  const layer = () => ({
    createdAt: now - randomBelow(MAX_BACKDATING, random),
    nonce: random.bytes(32),
    auxiliary: random.bytes(32),
  })
  return { seal: layer(), wrap: layer(), oneTimeKey: freshSecret(random) }
}

/** A uniform number in 0 … limit - 1, by rejection sampling. */
function randomBelow(limit: number, random: RandomBytes): number {
  const bytes = random.bytes(4)
  const draw = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  return draw < 2 ** 32 - (2 ** 32 % limit) ? draw % limit : randomBelow(limit, random)
}
