// Short texts from outside that people will read: memos, subjects, order references (specification: invoicing, 4.4).

/** Longest note, in characters. */
const MAX_NOTE = 256

/** Control characters, halves of characters, direction marks, zero-width characters and the byte order mark: they could disguise a text. */
const DANGEROUS = /[\p{Cc}\p{Cs}\u200b-\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/gu

/** One line without dangerous characters, at most 256 characters; null when nothing is left. */
export function cleanNote(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  const line = text.replace(DANGEROUS, ' ').replace(/\s+/g, ' ').trim()
  if (line === '') return null
  return line.length <= MAX_NOTE ? line : Array.from(line).slice(0, MAX_NOTE).join('').trimEnd()
}
