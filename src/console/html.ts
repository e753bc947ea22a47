// Markup as a type of its own, so that a page's body is never a text that was not escaped.

declare const escaped: unique symbol
/** Markup whose values are escaped. */
export type Html = string & { readonly [escaped]: true }

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): Html => asHtml(text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign))

/** Says that this text is markup with every value escaped: what a template rendered, or a helper put together. */
export const asHtml = (markup: string): Html => markup as Html
