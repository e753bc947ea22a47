// Markup as a type of its own, so that a page's body is never a text that was not escaped.
import { escapeMarkup } from '../lib/plain-text.js'

declare const escaped: unique symbol
/** Markup whose values are escaped. */
export type Html = string & { readonly [escaped]: true }

export const escapeHtml = (text: string): Html => asHtml(escapeMarkup(text))

/** Says that this text is markup with every value escaped: what a template rendered, or a helper put together. */
export const asHtml = (markup: string): Html => markup as Html
