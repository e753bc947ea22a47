// Armor: base58 with leading check bytes, between header and footer. Specification: grin-wallet, 3.4.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes } from '../../lib/bytes.js'
import { pastedText } from '../../lib/pasted-text.js'
import { decodeBase58, encodeBase58 } from './base58.js'
import { badBase58, badCheck, badFooter, badHeader, tooLong, tooShort } from './errors.js'

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
