// Foreign text that came through a clipboard: mail, chat and web pages add quote marks, other blanks and invisible characters.
// For texts with a checksum, or of a fixed form, in which none of these characters has a meaning.

/** Format and control characters, variation selectors, joiners. Line ends and tabs are blanks. */
const INVISIBLE = /(?:(?![\t-\r\u0085])[\p{Cf}\p{Cc}\p{DI}])+/gu

/** Blanks of every width, line ends of every kind, and the bars that programs put before quoted lines. */
const BLANKS = /[\s\u0085>|\u00a6\u2502\u2503\u258c-\u258f\u2758-\u275a\uff1e\uff5c]+/gu

/** The same text without invisible characters; every run of blanks and quote marks is one space, none at either end. */
export const pastedText = (text: string): string => text.replace(INVISIBLE, '').replace(BLANKS, ' ').trim()

/** For one word that line breaks may have cut: an address, a key. */
export const pastedWord = (text: string): string => pastedText(text).replaceAll(' ', '')
