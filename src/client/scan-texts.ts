// What an invoicing service says for a wallet's own page: taken over only in forms that a page may show as they stand.
import type { ScanTexts } from '../authority/index.js'
import { isPlainSvg } from './plain-svg.js'

const NPROFILE = /^nprofile1[02-9ac-hj-np-z]{6,1990}$/
const PAY_LINK = /^(?:goblin|nostr):[\x21-\x7e]{1,4000}$/

/** The members that can be used; undefined for none. What is odd is left out: `pay_url` always leads to the same payment. */
export function scanTextsOf({
  nprofile,
  pay_link: payLink,
  qr_svg: qrSvg,
}: Readonly<Record<string, unknown>>): ScanTexts | undefined {
  const texts: ScanTexts = {
    ...(typeof nprofile === 'string' && NPROFILE.test(nprofile) && { nprofile }),
    ...(typeof payLink === 'string' && PAY_LINK.test(payLink) && { payLink }),
    ...(typeof qrSvg === 'string' && isPlainSvg(qrSvg) && { qrSvg }),
  }
  return Object.keys(texts).length === 0 ? undefined : texts
}
