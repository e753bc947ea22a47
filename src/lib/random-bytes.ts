import { toHex } from './bytes.js'

/** A cryptographically secure random generator, as every module takes it. */
export interface RandomBytes {
  bytes(length: number): Uint8Array
}

/** Returns that many cryptographically secure random bytes. */
export type RandomSource = (length: number) => Uint8Array

/** A random UUID, version 4 (RFC 9562), lower case with hyphens. */
export function newUuid(random: RandomSource): string {
  const bytes = random(16).slice()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return hyphened(toHex(bytes))
}

/** 32 hex digits as a UUID is written. */
export const hyphened = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
