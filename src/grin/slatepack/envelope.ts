// The binary slatepack and the plaintext of an encrypted one. Specification: grin-wallet, 3.2 and 3.3.
import { base64 } from '@scure/base'
import { utf8 } from '../../lib/bytes.js'
import { GrinpayError, orThrow } from '../../lib/errors.js'
import { membersOf, parseJson } from '../../lib/parse-json.js'
import { foreignText } from '../../lib/plain-text.js'
import type { AddressKey } from '../kinds/index.js'
import { type ByteReader, type ByteWriter, createByteReader, createByteWriter } from '../wire/index.js'
import { type AddressPrefix, formatAddress, parseAddress } from './address.js'
import { badMode, slatepackInvalid } from './errors.js'

/** Whether the payload of an envelope is readable by everyone or by its recipients only. */
export type SlatepackMode = 'plain' | 'encrypted'
const MODES: readonly SlatepackMode[] = ['plain', 'encrypted']
const SENDER = 0x0001
const RECIPIENTS = 0x0002

/** A slatepack before decryption. */
export interface Envelope {
  readonly mode: SlatepackMode
  /** ed25519 key, 32 bytes; an encrypted slatepack has it in its plaintext. */
  readonly sender?: AddressKey
  readonly payload: Uint8Array
}

/** The part of an encrypted payload before the slate. */
export interface Metadata {
  readonly sender?: AddressKey
  readonly recipients: readonly AddressKey[]
}

/** Runs a reader and turns its RangeError into SLATEPACK_INVALID. */
function readingSlatepack<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw slatepackInvalid(error.message)
    if (error instanceof GrinpayError && error.code === 'ADDRESS_INVALID') throw slatepackInvalid(error.message)
    throw error
  }
}

/**
 * Reads a binary slatepack. Accepts larger versions, unknown flags, unknown optional parts and trailing bytes.
 * Throws SLATEPACK_INVALID, SLATEPACK_BAD_MODE, SLATEPACK_WRONG_CHAIN.
 */
export function decodeEnvelope(bytes: Uint8Array, prefix: AddressPrefix): Envelope {
  return readingSlatepack(() => {
    const from = createByteReader(bytes)
    from.u16('version')
    const mode = modeOf(from.u8('mode'))
    const flags = from.u16('flags')
    const optional = createByteReader(from.bytes(from.u32('optional length'), 'optional part'))
    const sender = flags & SENDER ? readAddress(optional, 'sender', prefix) : undefined
    const payload = from.bytes(clampLength(from.u64('payload length')), 'payload')
    return sender ? { mode, sender, payload } : { mode, payload }
  })
}

/** The mode of a number. Throws SLATEPACK_BAD_MODE. */
function modeOf(number: number): SlatepackMode {
  const mode = MODES[number]
  if (!mode) throw badMode(number)
  return mode
}

/** Clamps a length to a `number` beyond every payload. */
const clampLength = (length: bigint): number => Number(length > 0x7fffffffn ? 0x7fffffffn : length)

/** Writes a binary slatepack, version 1.0. */
export function encodeEnvelope({ mode, sender, payload }: Envelope, prefix: AddressPrefix): Uint8Array {
  const optional = createByteWriter()
  if (sender) writeAddress(optional, sender, prefix)
  const part = optional.done()
  const to = createByteWriter().u8(1).u8(0).u8(MODES.indexOf(mode))
  to.u16(sender ? SENDER : 0)
    .u32(part.length)
    .bytes(part)
  return to.u64(BigInt(payload.length)).bytes(payload).done()
}

/** Splits a decrypted payload into metadata and binary slate. Throws SLATEPACK_INVALID, SLATEPACK_WRONG_CHAIN. */
export function decodeInside(plain: Uint8Array, prefix: AddressPrefix): Metadata & { readonly slate: Uint8Array } {
  return readingSlatepack(() => {
    const from = createByteReader(plain)
    const meta = createByteReader(from.bytes(from.u32('metadata length'), 'metadata'))
    const flags = meta.u16('metadata flags')
    const sender = flags & SENDER ? readAddress(meta, 'sender', prefix) : undefined
    const recipients: AddressKey[] = []
    const count = flags & RECIPIENTS ? meta.u16('recipients') : 0
    while (recipients.length < count) recipients.push(readAddress(meta, 'recipient', prefix))
    return { ...(sender && { sender }), recipients, slate: from.rest() }
  })
}

/** The plaintext: metadata, then the binary slate. grin-wallet writes no recipients. */
export function encodeInside({ sender, recipients }: Metadata, slate: Uint8Array, prefix: AddressPrefix): Uint8Array {
  const meta = createByteWriter().u16((sender ? SENDER : 0) | (recipients.length > 0 ? RECIPIENTS : 0))
  if (sender) writeAddress(meta, sender, prefix)
  if (recipients.length > 0) meta.u16(recipients.length)
  for (const recipient of recipients) writeAddress(meta, recipient, prefix)
  const bytes = meta.done()
  return createByteWriter().u32(bytes.length).bytes(bytes).bytes(slate).done()
}

function readAddress(from: ByteReader, what: string, prefix: AddressPrefix): AddressKey {
  const text = from.bytes(from.u8(what), what)
  return parseAddress(String.fromCharCode(...text), prefix)
}

function writeAddress(to: ByteWriter, publicKey: AddressKey, prefix: AddressPrefix): void {
  const text = utf8(formatAddress(prefix, publicKey))
  to.u8(text.length).bytes(text)
}

// The rare JSON form of a slatepack. Specification: grin-wallet, 3.2.
/** Reads the JSON form from its text, and ignores unknown members. Throws SLATEPACK_INVALID, SLATEPACK_BAD_MODE, SLATEPACK_WRONG_CHAIN. */
export function parseEnvelopeJson(text: string, prefix: AddressPrefix): Envelope {
  return readingSlatepack(() => {
    const document = parseJson(text)
    if (typeof document !== 'object' || document === null) throw new RangeError('not JSON')
    const { slatepack, mode, sender, payload } = membersOf(document)
    if (typeof slatepack !== 'string' || !/^\d{1,3}\.\d{1,3}$/.test(slatepack)) throw new RangeError('no version')
    if (typeof mode !== 'number' || typeof payload !== 'string') throw new RangeError('mode or payload is missing')
    const content = orThrow(
      () => base64.decode(payload),
      () => new RangeError('the payload is not base64'),
    )
    const from = sender === undefined || sender === null ? undefined : parseAddress(foreignText(sender), prefix)
    return { mode: modeOf(mode), ...(from && { sender: from }), payload: content }
  })
}

/** The JSON form as text, compact. */
export function formatEnvelopeJson({ mode, sender, payload }: Envelope, prefix: AddressPrefix): string {
  return JSON.stringify({
    slatepack: '1.0',
    mode: mode === 'plain' ? 0 : 1,
    ...(sender && { sender: formatAddress(prefix, sender) }),
    payload: base64.encode(payload),
  })
}
