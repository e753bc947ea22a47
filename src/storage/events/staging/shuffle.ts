// Scrambles map keys that clients can choose. The engine hashes numbers predictably, and clients can choose the 48 bits of a tag's hash: a hundred
// thousand colliding keys would make every lookup scan all of them.

/** A secret permutation of signed 48-bit numbers. */
export type Shuffle = (key: number) => number

/** Bytes of the secret. */
export const SECRET_BYTES = 16

const HALF = 2 ** 47
const SIDE = 2 ** 24
/** Odd multipliers without a pattern. */
const [SPREAD, OTHER] = [0x9e3779b1, 0x85ebca6b]

/** A Feistel network of four rounds over two halves of 24 bits. */
export function createShuffle(secret: Uint8Array): Shuffle {
  const view = new DataView(secret.buffer, secret.byteOffset, SECRET_BYTES)
  const [first, second, third, fourth] = [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)]
  return (key) => {
    const number = key + HALF
    let high = Math.floor(number / SIDE)
    let low = number - high * SIDE
    high ^= Math.imul((low + first) | 0, SPREAD) >>> 8
    low ^= Math.imul((high + second) | 0, OTHER) >>> 8
    high ^= Math.imul((low + third) | 0, SPREAD) >>> 8
    low ^= Math.imul((high + fourth) | 0, OTHER) >>> 8
    return high * SIDE + low - HALF
  }
}
