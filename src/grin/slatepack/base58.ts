// Base58 (Bitcoin alphabet) by divide and conquer: 30 000 characters take milliseconds. Base58 libraries are quadratic, so that a
// paste could block the till's event loop.
import { fromHex, toHex } from '../../lib/bytes.js'

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUE = new Map([...ALPHABET].map((character, i) => [character, i]))
const ONLY_BASE58 = /^[1-9A-HJ-NP-Za-km-z]*$/

/** The number of digits that a `number` holds exactly. */
const LEAF = 9

/** 58^n for n = LEAF * 2^k, each the square of the one before; cached for one conversion. */
function createPowers() {
  const known = new Map<number, bigint>([[LEAF, 58n ** BigInt(LEAF)]])
  return function power(digits: number): bigint {
    const found = known.get(digits)
    if (found !== undefined) return found
    const half = power(digits / 2)
    known.set(digits, half * half)
    return half * half
  }
}

/** The smallest LEAF * 2^k that is at least `digits`. */
function roundUp(digits: number): number {
  let size = LEAF
  while (size < digits) size *= 2
  return size
}

/** Undefined if a character is not base58. */
export function decodeBase58(text: string): Uint8Array | undefined {
  if (!ONLY_BASE58.test(text)) return undefined
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  const digits = text.slice(zeros)
  if (digits === '') return new Uint8Array(zeros)
  const power = createPowers()

  function numberOf(part: string): bigint {
    if (part.length <= LEAF) return BigInt([...part].reduce((sum, one) => sum * 58 + (VALUE.get(one) ?? 0), 0))
    const low = roundUp(part.length) / 2
    return numberOf(part.slice(0, -low)) * power(low) + numberOf(part.slice(-low))
  }

  const hex = numberOf(digits).toString(16)
  const bytes = fromHex(hex.length % 2 ? `0${hex}` : hex)
  const out = new Uint8Array(zeros + bytes.length)
  out.set(bytes, zeros)
  return out
}

/** Leading zero bytes become leading "1" digits, which preserves the length. */
export function encodeBase58(bytes: Uint8Array): string {
  const firstByte = bytes.findIndex((byte) => byte !== 0)
  if (firstByte < 0) return '1'.repeat(bytes.length)
  const power = createPowers()

  function digitsOf(value: bigint, size: number): string {
    if (size === LEAF) return leafDigits(Number(value))
    const half = power(size / 2)
    return digitsOf(value / half, size / 2) + digitsOf(value % half, size / 2)
  }

  const value = BigInt(`0x${toHex(bytes)}`)
  const digits = digitsOf(value, roundUp(Math.ceil((bytes.length * 8) / Math.log2(58)) + 1))
  return '1'.repeat(firstByte) + digits.replace(/^1+/, '')
}

function leafDigits(value: number): string {
  let [rest, out] = [value, '']
  for (let i = 0; i < LEAF; i++) {
    out = ALPHABET.charAt(rest % 58) + out
    rest = Math.floor(rest / 58)
  }
  return out
}
