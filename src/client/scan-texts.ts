// What an invoicing service says for a wallet's own page: taken over only in forms that a page may show as they stand.
import type { ScanTexts } from '../authority/index.js'

const NPROFILE = /^nprofile1[02-9ac-hj-np-z]{6,1990}$/
const PAY_LINK = /^(?:goblin|nostr):[\x21-\x7e]{1,4000}$/
const MOST_SVG = 65_536
/** What follows each `<` of an SVG that only draws. */
const DRAWN = /^\/?(?:svg|g|title|desc|rect|path|image)(?=[\s/>])[^<>]*>[^<>]*$/
/** Handlers, styles, and addresses other than an image inside the text itself. */
const ACTIVE = /\s(?:on[a-z]+|style)\s*=|javascript:|href\s*=\s*["'](?!data:image\/(?:png|jpeg|webp|gif);base64,)|&#/i

/** The members that can be used; undefined for none. What is odd is left out: `pay_url` always leads to the same payment. */
export function scanTextsOf({
  nprofile,
  pay_link: payLink,
  qr_svg: qrSvg,
}: Readonly<Record<string, unknown>>): ScanTexts | undefined {
  const texts: ScanTexts = {
    ...(typeof nprofile === 'string' && NPROFILE.test(nprofile) && { nprofile }),
    ...(typeof payLink === 'string' && PAY_LINK.test(payLink) && { payLink }),
    ...(typeof qrSvg === 'string' && isDrawing(qrSvg) && { qrSvg }),
  }
  return Object.keys(texts).length === 0 ? undefined : texts
}

function isDrawing(text: string): boolean {
  if (text.length > MOST_SVG || !/^<svg\s/.test(text) || !text.endsWith('</svg>') || ACTIVE.test(text)) return false
  return text
    .slice(1)
    .split('<')
    .every((piece) => DRAWN.test(piece))
}
