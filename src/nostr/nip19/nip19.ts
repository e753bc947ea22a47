// Keys as bech32 texts with a type prefix (NIP-19).
import { bech32 } from '@scure/base'
import { concatBytes, fromHex, toHex, utf8 } from '../../lib/bytes.js'
import { pastedWord } from '../../lib/pasted-text.js'
import { nostrCodeInvalid } from './errors.js'

/** Maximum length of a text. */
const MAX_LENGTH = 5000
const SPECIAL = 0
const RELAY = 1

/** A key and its relays. */
export interface Profile {
  /** 64 lower-case hex. */
  readonly pubkey: string
  readonly relays: readonly string[]
}

/** Bytes as bech32 with this prefix. */
export const encodeCode = (prefix: string, bytes: Uint8Array): string =>
  bech32.encode(prefix, bech32.toWords(bytes), MAX_LENGTH)

/** The bytes of a bech32 text with exactly this prefix; marks that a clipboard added do not count. Throws NOSTR_CODE_INVALID. */
export function decodeCode(prefix: string, pasted: string): Uint8Array {
  const text = pastedWord(pasted)
  if (text.length > MAX_LENGTH) throw nostrCodeInvalid(prefix, `longer than ${MAX_LENGTH} characters`)
  if (!text.toLowerCase().startsWith(`${prefix}1`)) throw nostrCodeInvalid(prefix, `does not begin with ${prefix}1`)
  try {
    return bech32.decodeToBytes(text, MAX_LENGTH).bytes
  } catch {
    throw nostrCodeInvalid(prefix, 'mistyped or incomplete')
  }
}

/** `pubkey` is 64 hex. */
export const formatNpub = (pubkey: string): string => encodeCode('npub', fromHex(pubkey, 32, 'public key'))

/** Reads a public key as npub or 64 hex, with marks that a clipboard added; returns 64 lower-case hex. Throws NOSTR_CODE_INVALID. */
export function parsePubkey(pasted: string): string {
  const text = pastedWord(pasted)
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  return toHex(exactly32('npub', decodeCode('npub', text)))
}

/** The 32 bytes of an nsec. Throws NOSTR_CODE_INVALID. */
export const parseNsec = (text: string): Uint8Array => exactly32('nsec', decodeCode('nsec', text))

/** Key first, then the relays in order. Throws RangeError for a relay address over 255 bytes. */
export function formatNprofile({ pubkey, relays }: Profile): string {
  const parts = [tlv(SPECIAL, fromHex(pubkey, 32, 'public key')), ...relays.map((url) => tlv(RELAY, utf8(url)))]
  return encodeCode('nprofile', concatBytes(...parts))
}

/** Reads the parts in whatever order they have and skips unknown ones. Throws NOSTR_CODE_INVALID. */
export function parseNprofile(text: string): Profile {
  const bytes = decodeCode('nprofile', text)
  const relays: string[] = []
  let pubkey: string | undefined
  for (let at = 0; at < bytes.length; ) {
    const [type = 0, length = 0] = bytes.subarray(at, at + 2)
    const value = bytes.subarray(at + 2, at + 2 + length)
    if (at + 2 + length > bytes.length) throw nostrCodeInvalid('nprofile', 'a part is cut off')
    if (type === SPECIAL) pubkey ??= toHex(exactly32('nprofile', value))
    if (type === RELAY) relays.push(new TextDecoder().decode(value))
    at += 2 + length
  }
  if (pubkey === undefined) throw nostrCodeInvalid('nprofile', 'no public key in it')
  return { pubkey, relays }
}

function tlv(type: number, value: Uint8Array): Uint8Array {
  if (value.length > 255) throw new RangeError(`relay address of ${value.length} bytes: at most 255 fit`)
  return concatBytes(Uint8Array.of(type, value.length), value)
}

function exactly32(what: string, bytes: Uint8Array): Uint8Array {
  if (bytes.length !== 32) throw nostrCodeInvalid(what, `${bytes.length} bytes instead of 32`)
  return bytes
}
