// From pasted text to slate. Specification: grin-wallet.md 3.
import type { AddressKey, AddressSeed } from '../kinds/index.js'
import { decodeSlate, type Slate } from '../slate/index.js'
import type { AddressPrefix } from './address.js'
import { type DecryptionKey, decryptWith } from './age.js'
import { countArmors, dearmor, findArmor, MAX_ARMOR } from './armor.js'
import { decodeEnvelope, decodeInside, type Envelope } from './envelope.js'
import { parseEnvelopeJson } from './envelope-json.js'
import { cannotDecrypt, tooLong, twoSlatepacks } from './errors.js'

/** Address seeds (32 bytes each), or their keys. */
export type DecryptionKeys = readonly (AddressSeed | DecryptionKey)[]

/** What a slatepack may be, and the keys that open it. */
export interface ReadOptions {
  /** Addresses of another chain are refused. */
  readonly prefix: AddressPrefix
  /**
   * ed25519 seeds of the addresses a slatepack may be encrypted to, or what `decryptionKey` makes of them, tried in this order; a function is
   * asked only if it is encrypted. At most 10,000 keys are tried.
   */
  readonly decryptWith?: DecryptionKeys | (() => Promise<DecryptionKeys>)
  /** Most characters of one slatepack, default 30 720. */
  readonly limit?: number
  /** Refuses a text with a second complete slatepack. */
  readonly single?: boolean
}

/** What was in a slatepack. */
export interface OpenedSlatepack {
  readonly slate: Slate
  /** The slate's bytes as received. */
  readonly bytes: Uint8Array
  readonly encrypted: boolean
  /** The claimed sender, 32 bytes, unproven. */
  readonly sender?: AddressKey
  readonly recipients: readonly AddressKey[]
  /** Index of the matching seed in `decryptWith`. */
  readonly seed?: number
}

/**
 * Reads the first slatepack in a text: armor with text around it, or the JSON form. Throws a SLATEPACK_… error,
 * SLATE_INVALID or SLATE_VERSION_UNSUPPORTED.
 */
export async function readSlatepack(text: string, options: ReadOptions): Promise<OpenedSlatepack> {
  return openEnvelope(envelopeIn(text, options), options)
}

function envelopeIn(text: string, { prefix, limit = MAX_ARMOR, single = false }: ReadOptions): Envelope {
  if (single && countArmors(text) > 1) throw twoSlatepacks()
  const isJson = findArmor(text) < 0 && /^\s{0,1000}\{/.test(text)
  if (!isJson) return decodeEnvelope(dearmor(text, limit), prefix)
  if (text.length > limit) throw tooLong(limit)
  return parseEnvelopeJson(text, prefix)
}

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
