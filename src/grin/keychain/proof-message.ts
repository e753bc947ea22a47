// The message in a range proof for the owner of the output: switch type and key identifier, 20 bytes (specification: grin-wallet, 1.6).
import { concatBytes } from '../../lib/bytes.js'
import type { Identifier } from './identifier.js'

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
