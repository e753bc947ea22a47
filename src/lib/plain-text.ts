// Untrusted text (from relays, nodes, payers, webhook receivers) made safe to display.

/**
 * Control characters move a terminal's cursor or begin a line of their own; direction marks turn what follows around; halves of
 * characters, zero-width characters and the byte order mark hide things.
 */
const DISGUISES = /[\p{Cc}\p{Cs}\u200b-\u200f\u061c\u2028-\u202e\u2066-\u2069\ufeff]+/gu

/** The same text on one line, as it looks: every run of characters that could disguise it becomes one space. */
export const plainText = (text: string): string => text.replace(DISGUISES, ' ')

/** Editors on Windows write one before the text of a file. */
export const withoutByteOrderMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)

// The text of a value that comes from elsewhere. `String()` runs its `toString`, and throws if foreign JSON has put something else there.
/** Never throws. Texts as they are, numbers and the like as they are written; of everything else only what it is. */
export function foreignText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'undefined':
      return `${value}`
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'
    case 'symbol':
    case 'function':
      return `a ${typeof value}`
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text for HTML, XML or SVG, between tags or in an attribute with quotes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
