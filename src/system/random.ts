// The only file that touches randomness.
import { randomBytes, randomUUID } from 'node:crypto'

/** Randomness as a port: `bytes(n)` gives n bytes of a CSPRNG. */
export interface SystemRandom {
  bytes(length: number): Uint8Array
  uuid(): string
}

export const systemRandom: SystemRandom = {
  bytes: (length) => new Uint8Array(randomBytes(length)),
  uuid: () => randomUUID(),
}
