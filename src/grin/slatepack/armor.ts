// Armor: base58 with leading check bytes, between header and footer. Specification: grin-wallet.md 3.4.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes } from '../../lib/bytes.js'
import { decodeBase58, encodeBase58 } from './base58.js'
import { badBase58, badCheck, badFooter, badHeader, tooLong, tooShort } from './errors.js'

const HEADER = 'BEGINSLATEPACK.'
const FOOTER = '. ENDSLATEPACK.\n'
const FOOTER_WORD = /^[> \n\r\t]*ENDSLATEPACK[> \n\r\t]*$/
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

/** Where the first armor starts, or -1. */
export const findArmor = (text: string): number => text.indexOf(HEADER)

/** The number of complete slatepacks in a text, at most 2. A header without a footer does not count. */
export function countArmors(text: string): 0 | 1 | 2 {
  const complete = text.match(/BEGINSLATEPACK\.[^.]*\.[^.]*ENDSLATEPACK/g) ?? []
  return complete.length > 1 ? 2 : complete.length === 1 ? 1 : 0
}

/**
 * Reads the first armor in a text, and ignores the text around it. Quote marks, spaces and line ends inside are dropped.
 * `limit` bounds the characters from header to footer.
 * Throws SLATEPACK_BAD_HEADER, _TOO_LONG, _BAD_FOOTER, _BAD_BASE58, _TOO_SHORT, _BAD_CHECK.
 */
export function dearmor(text: string, limit: number = MAX_ARMOR): Uint8Array {
  const start = findArmor(text)
  if (start < 0) throw badHeader()
  const bytes = decodeBase58(transactionBody(text.slice(start, start + limit + 1), limit).replace(/[> \t\r\n]+/g, ''))
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
