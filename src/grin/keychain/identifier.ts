// Key identifiers: depth and four child numbers in 17 bytes (specification: grin-wallet, 1.4).
import { concatBytes } from '../../lib/bytes.js'
import type { BytesOf } from '../../lib/kinds.js'
import { badIdentifier, badPath } from './errors.js'

/** 17 bytes: depth 0 … 4, then four child numbers of 4 bytes big-endian. Numbers past the depth are ignored. */
export type Identifier = BytesOf<'key path'>

const LENGTH = 17
const MAX_DEPTH = 4

/** The identifier of a path of at most four child numbers below 2^32; the rest is zero. Throws BAD_KEY_PATH. */
function identifierFrom(path: readonly number[]): Identifier {
  const out = new Uint8Array(LENGTH)
  const view = new DataView(out.buffer)
  const isNumber = (n: number): boolean => Number.isInteger(n) && n >= 0 && n < 2 ** 32
  if (path.length > MAX_DEPTH || !path.every(isNumber)) throw badPath(path.join('/'))
  out[0] = path.length
  for (const [level, number] of path.entries()) view.setUint32(1 + 4 * level, number)
  return out
}

/** m/account/0/index: the path of output `index` of an account. */
export const outputIdentifier = (account: number, index: number): Identifier => identifierFrom([account, 0, index])

/** m/account/1/index: the path of address key `index` of an account. */
export const addressIdentifier = (account: number, index: number): Identifier => identifierFrom([account, 1, index])

/** The child numbers up to the depth. A depth above 4 reads as 4, as in grin. Throws BAD_IDENTIFIER. */
export function pathOf(identifier: Identifier): number[] {
  if (identifier.length !== LENGTH) throw badIdentifier(identifier.length)
  const view = new DataView(identifier.buffer, identifier.byteOffset, LENGTH)
  const depth = Math.min(view.getUint8(0), MAX_DEPTH)
  return Array.from({ length: depth }, (_, level) => view.getUint32(1 + 4 * level))
}

/** Reads "m/0/0/7": plain decimals, at most four. Throws BAD_KEY_PATH. */
export function identifierFromPath(text: string): Identifier {
  if (!/^m(\/(0|[1-9]\d{0,9})){0,4}$/.test(text)) throw badPath(text)
  return identifierFrom(text.split('/').slice(1).map(Number))
}

/** The inverse of `identifierFromPath`. */
export const formatPath = (identifier: Identifier): string => ['m', ...pathOf(identifier)].join('/')

// The message in a range proof for the owner of the output: switch type and key identifier, 20 bytes (specification: grin-wallet, 1.6).
/** `regular` binds the blinding factor to the amount; only old outputs have `none`. */
export type SwitchType = 'none' | 'regular'

const SWITCH_BYTE: Readonly<Record<SwitchType, number>> = { none: 0, regular: 1 }

/** 00 (reserved), 00 (wallet type), switch type, identifier (17). */
export const rangeProofMessage = (identifier: Identifier, switchType: SwitchType): Uint8Array =>
  concatBytes(Uint8Array.of(0, 0, SWITCH_BYTE[switchType]), identifier)

/** Reads a rewound message of 20 bytes; undefined for another wallet's. A depth above 4 reads as 4. */
export function parseRangeProofMessage(
  message: Uint8Array,
): { identifier: Identifier; switchType: SwitchType } | undefined {
  const [reserved, wallet, switchByte, depth = 0] = message
  if (message.length !== 20 || reserved !== 0 || wallet !== 0) return undefined
  if (switchByte !== 0 && switchByte !== 1) return undefined
  const identifier = message.slice(3)
  identifier[0] = Math.min(depth, 4)
  return { identifier, switchType: switchByte === 0 ? 'none' : 'regular' }
}
