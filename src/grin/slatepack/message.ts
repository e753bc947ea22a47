// From pasted text to slate. Specification: grin-wallet, 3.

import { strictText } from '../../lib/parse-json.js'
import { pastedText } from '../../lib/pasted-text.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import type { AddressKey, AddressSeed } from '../kinds/index.js'
import { decodeSlate, encodeSlate, isSlateText, parseSlateJson, type Slate } from '../slate/index.js'
import type { AddressPrefix } from './address.js'
import { type DecryptionKey, decryptWith, encryptTo } from './age.js'
import { armor, countArmors, dearmor, findArmor, MAX_ARMOR } from './armor.js'
import {
  decodeEnvelope,
  decodeInside,
  type Envelope,
  encodeEnvelope,
  encodeInside,
  parseEnvelopeJson,
} from './envelope.js'
import { cannotDecrypt, tooLong, twoSlatepacks } from './errors.js'

/** Address seeds (32 bytes each), or their keys. */
export type DecryptionKeys = readonly (AddressSeed | DecryptionKey)[]

/** What a slatepack may be, and the keys that open it. */
export interface ReadOptions {
  /** Addresses of another chain are refused. */
  readonly prefix: AddressPrefix
  /**
   * ed25519 seeds of the addresses a slatepack may be encrypted to, or what `decryptionKey` makes of them, tried in this order; a function is
   * asked only if it is encrypted, and may make each key when those before it did not fit. At most 10,000 keys are tried.
   */
  readonly decryptWith?: DecryptionKeys | (() => Promise<DecryptionKeys> | AsyncIterable<AddressSeed | DecryptionKey>)
  /** Most characters of one slatepack, default 30 720. */
  readonly limit?: number
  /** Refuses a text with a second complete slatepack. */
  readonly single?: boolean
}

/** What was in a slatepack. */
export interface OpenedSlatepack {
  readonly slate: Slate
  /** The slate's bytes as received; of a JSON slate its binary form. */
  readonly bytes: Uint8Array
  readonly encrypted: boolean
  /** The claimed sender, 32 bytes, unproven. */
  readonly sender?: AddressKey
  readonly recipients: readonly AddressKey[]
  /** Index of the matching seed in `decryptWith`. */
  readonly seed?: number
}

/**
 * Reads the first slatepack in a text: armor with text around it, or JSON of a slatepack or slate, with the marks that mail and chat
 * programs add. Throws a SLATEPACK_… error, SLATE_INVALID or SLATE_VERSION_UNSUPPORTED.
 */
export async function readSlatepack(text: string, options: ReadOptions): Promise<OpenedSlatepack> {
  return openEnvelope(envelopeIn(text, options), options)
}

function envelopeIn(text: string, { prefix, limit = MAX_ARMOR, single = false }: ReadOptions): Envelope {
  const clean = pastedText(text)
  if (single && countArmors(clean) > 1) throw twoSlatepacks()
  if (findArmor(clean) >= 0 || !clean.startsWith('{')) return decodeContent(dearmor(clean, limit), prefix)
  if (clean.length > limit) throw tooLong(limit)
  return parseJson(clean, prefix)
}

const BRACE = 0x7b

/** What armor holds: a binary slatepack or, as grin-wallet reads it too, JSON. */
function decodeContent(content: Uint8Array, prefix: AddressPrefix): Envelope {
  const text = content[0] === BRACE ? textOf(content) : undefined
  return text === undefined ? decodeEnvelope(content, prefix) : parseJson(text, prefix)
}

function textOf(content: Uint8Array): string | undefined {
  try {
    return strictText(content)
  } catch {
    return undefined // a binary slatepack of a version to come
  }
}

/** JSON of a slatepack, or of a slate. */
const parseJson = (text: string, prefix: AddressPrefix): Envelope =>
  isSlateText(text) ? { mode: 'plain', payload: encodeSlate(parseSlateJson(text)) } : parseEnvelopeJson(text, prefix)

/** Decrypts an encrypted envelope, then reads the slate. Throws as `readSlatepack`. */
export async function openEnvelope(envelope: Envelope, options: ReadOptions): Promise<OpenedSlatepack> {
  const { mode, sender, payload } = envelope
  if (mode === 'plain')
    return { slate: decodeSlate(payload), bytes: payload, encrypted: false, recipients: [], ...(sender && { sender }) }
  const { decryptWith: keys = [] } = options
  const opened = await decryptWith(typeof keys === 'function' ? await keys() : keys, payload)
  if (!opened) throw cannotDecrypt()
  const inside = decodeInside(opened.plain, options.prefix)
  const from = inside.sender ?? sender
  return {
    slate: decodeSlate(inside.slate),
    bytes: inside.slate,
    encrypted: true,
    recipients: inside.recipients,
    ...(from && { sender: from }),
    seed: opened.seed,
  }
}

// From slate to armor. Specification: grin-wallet, 3.
/** How a plain slatepack is written. */
export interface WriteOptions {
  readonly prefix: AddressPrefix
  /** The wallet's address key, 32 bytes: the recipient of a reply. */
  readonly sender?: AddressKey
}

/** A plain envelope around a slate. */
const plainEnvelope = (slate: Slate, sender?: AddressKey): Envelope => ({
  mode: 'plain',
  ...(sender && { sender }),
  payload: encodeSlate(slate),
})

/** A plain slatepack as armored text. */
export const armorSlate = (slate: Slate, { prefix, sender }: WriteOptions): string =>
  armor(encodeEnvelope(plainEnvelope(slate, sender), prefix))

/** A slatepack encrypted to `recipients` (address keys, 32 bytes each, at least one), as armored text. */
export async function armorSlateTo(
  recipients: readonly AddressKey[],
  slate: Slate,
  { prefix, sender, random }: WriteOptions & { readonly random: RandomBytes },
): Promise<string> {
  if (recipients.length === 0) throw new RangeError('no recipient to encrypt to')
  const inside = encodeInside({ ...(sender && { sender }), recipients: [] }, encodeSlate(slate), prefix)
  const payload = await encryptTo(recipients, inside, random)
  return armor(encodeEnvelope({ mode: 'encrypted', payload }, prefix))
}
