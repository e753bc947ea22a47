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
