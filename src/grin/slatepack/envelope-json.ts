// The rare JSON form of a slatepack. Specification: grin-wallet, 3.2.

import { base64 } from '@scure/base'
import { foreignText } from '../../lib/foreign-text.js'
import { type AddressPrefix, formatAddress, parseAddress } from './address.js'
import { type Envelope, modeOf, readingSlatepack } from './envelope.js'

/** Reads the JSON form from its text, and ignores unknown members. Throws SLATEPACK_INVALID, SLATEPACK_BAD_MODE, SLATEPACK_WRONG_CHAIN. */
export function parseEnvelopeJson(text: string, prefix: AddressPrefix): Envelope {
  return readingSlatepack(() => {
    const { slatepack, mode, sender, payload } = parseObject(text)
    if (typeof slatepack !== 'string' || !/^\d{1,3}\.\d{1,3}$/.test(slatepack)) throw new RangeError('no version')
    if (typeof mode !== 'number' || typeof payload !== 'string') throw new RangeError('mode or payload is missing')
    const from = sender === undefined || sender === null ? undefined : parseAddress(foreignText(sender), prefix)
    return { mode: modeOf(mode), ...(from && { sender: from }), payload: decodeBase64(payload) }
  })
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Falls through: the same error as for JSON that is not an object.
  }
  throw new RangeError('not JSON')
}

function decodeBase64(text: string): Uint8Array {
  try {
    return base64.decode(text)
  } catch {
    throw new RangeError('the payload is not base64')
  }
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
