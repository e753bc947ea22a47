// Armor: base58 with leading check bytes, between header and footer. Specification: grin-wallet, 3.4.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes, fromHex, toHex } from '../../lib/bytes.js'
import { pastedText } from '../../lib/pasted-text.js'
import { badBase58, badCheck, badFooter, badHeader, tooLong, tooShort } from './errors.js'

// Base58 (Bitcoin alphabet) by divide and conquer: 30 000 characters take milliseconds. Base58 libraries are quadratic, so that a
// paste could block the till's event loop.
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

const HEADER = 'BEGINSLATEPACK.'
const FOOTER = '. ENDSLATEPACK.\n'
const FOOTER_WORD = /^ ?ENDSLATEPACK ?$/
const COMPLETE = /BEGINSLATEPACK\.[^.]*\.[^.]*ENDSLATEPACK\.?/g
const WORDS_PER_LINE = 200

/** The maximum length of armor in a paste or message, in characters. */
export const MAX_ARMOR = 30_720

const checkOf = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes)).slice(0, 4)

/** Armors bytes: words of 15 characters counted from the header, 200 words a line, a final newline. */
export function armor(bytes: Uint8Array): string {
  const text = HEADER + encodeBase58(concatBytes(checkOf(bytes), bytes))
  const words = text.match(/.{1,15}/g) ?? []
  const lines = Array.from({ length: Math.ceil(words.length / WORDS_PER_LINE) }, (_, line) =>
    words.slice(line * WORDS_PER_LINE, (line + 1) * WORDS_PER_LINE).join(' '),
  )
  return lines.join('\n') + FOOTER
}

/** Where the first armor starts in a text without clipboard marks (`pastedText`), or -1. */
export const findArmor = (clean: string): number => clean.indexOf(HEADER)

const completeArmors = (text: string): readonly string[] => pastedText(text).match(COMPLETE) ?? []

/** The number of complete slatepacks in a text, at most 2. A header without a footer does not count. */
export function countArmors(text: string): 0 | 1 | 2 {
  const { length } = completeArmors(text)
  return length > 1 ? 2 : length === 1 ? 1 : 0
}

/** The first complete slatepack in a text, and nothing around it, without clipboard marks. */
export const firstArmor = (text: string): string | undefined => completeArmors(text)[0]

/**
 * Reads the first armor in a text, and ignores the text around it. Quote marks, blanks and invisible characters inside are dropped: the check bytes
 * say whether what is left is whole. `limit` bounds the characters from header to footer, a run of blanks and quote marks counted as one.
 * Throws SLATEPACK_BAD_HEADER, _TOO_LONG, _BAD_FOOTER, _BAD_BASE58, _TOO_SHORT, _BAD_CHECK.
 */
export function dearmor(text: string, limit: number = MAX_ARMOR): Uint8Array {
  const clean = pastedText(text)
  const start = findArmor(clean)
  if (start < 0) throw badHeader()
  const bytes = decodeBase58(transactionBody(clean.slice(start, start + limit + 1), limit).replaceAll(' ', ''))
  if (!bytes) throw badBase58()
  // Shorter than the check bytes and the fixed fields of an envelope.
  if (bytes.length < 4) throw tooShort()
  const [check, content] = [bytes.slice(0, 4), bytes.slice(4)]
  if (!equalBytes(check, checkOf(content))) throw badCheck()
  if (content.length === 0) throw tooShort()
  return content
}

function transactionBody(block: string, limit: number): string {
  const bodyEnd = block.indexOf('.', HEADER.length)
  const isCut = block.length > limit
  if (bodyEnd < 0) throw isCut ? tooLong(limit) : badFooter()
  const footerEnd = block.indexOf('.', bodyEnd + 1)
  if (footerEnd < 0 && isCut) throw tooLong(limit)
  if (!FOOTER_WORD.test(block.slice(bodyEnd + 1, footerEnd < 0 ? undefined : footerEnd))) throw badFooter()
  return block.slice(HEADER.length, bodyEnd)
}
