/** A cryptographically secure random generator, as every module takes it. */
export interface RandomBytes {
  bytes(length: number): Uint8Array
}

/** Returns that many cryptographically secure random bytes. */
export type RandomSource = (length: number) => Uint8Array
