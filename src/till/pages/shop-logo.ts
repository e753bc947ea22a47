// The logo of the shop: from the bytes of a file to an address that a page embeds. An SVG is a program: one that could run or load
// anything is refused, and it is only ever the source of an image, where browsers run and load nothing.

/** Every page carries it. */
export const MAX_LOGO_BYTES = 48 * 1024

const startsWith = (bytes: Uint8Array, ...expected: readonly number[]): boolean =>
  expected.every((byte, at) => bytes[at] === byte)
const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to))

/** By their first bytes; what they claim to be elsewhere does not count. */
const TYPES: readonly (readonly [type: string, fits: (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ['image/jpeg', (bytes) => startsWith(bytes, 0xff, 0xd8, 0xff)],
  ['image/webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
]

type Rule = { readonly refusal: string; readonly breaks: RegExp }

/** Checked in this order; the first broken rule is the reason. */
const SVG_RULES: readonly Rule[] = [
  { refusal: 'a DOCTYPE that declares something, or an entity', breaks: /<!\s*(?:doctype|entity)/i },
  { refusal: 'a style sheet from elsewhere', breaks: /<\?xml-stylesheet|@import/i },
  { refusal: 'a backslash', breaks: /\\/ }, // an escape in CSS hides what it spells
  { refusal: 'a script', breaks: /<(?:[\w-]+:)?script|javascript:/i },
  {
    refusal: 'an element that holds or changes other documents',
    breaks:
      /<(?:[\w-]+:)?(?:foreignobject|iframe|object|embed|audio|video|image|feimage|animate\w*|set|handler|listener)[\s/>]/i,
  },
  { refusal: 'an event handler', breaks: /[\s"'/]on[a-z]+\s*=/i },
  { refusal: 'a link', breaks: /\b(?:href|src)\s*=\s*(?!["']#)/i },
  { refusal: 'an address from elsewhere', breaks: /url\(\s*(?!["']?#)/i },
]

function checkSvg(text: string): void {
  const broken = SVG_RULES.find(({ breaks }) => breaks.test(text))
  if (broken) throw new RangeError(`is an SVG with ${broken.refusal}: save it as a plain SVG, or as PNG`)
}

const COMMENTS = '(?:<!--[\\s\\S]*?-->\\s*)*'
/** What stands before the first element: a declaration, comments, a DOCTYPE. */
const PROLOG = new RegExp(
  `^(\\s*(?:<\\?xml[^>]*\\?>\\s*)?${COMMENTS})(<!DOCTYPE[^>[]*(?:\\[[\\s\\S]*?\\]\\s*)?>\\s*${COMMENTS})?(<svg[\\s>][\\s\\S]*)$`,
)
/** Names a document type, as many drawing programs write it, and declares nothing. */
const PLAIN_DOCTYPE =
  /^<!DOCTYPE\s+svg(?:\s+(?:PUBLIC\s+"[^"<>]*"|SYSTEM))?(?:\s+"[^"<>]*")?\s*>\s*(?:<!--[\s\S]*?-->\s*)*$/

/** The text of an SVG without a DOCTYPE that says nothing, or undefined for anything else. */
function svgText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    const [, before = '', doctype = '', rest = ''] = PROLOG.exec(text) ?? []
    return rest === '' ? undefined : `${before}${PLAIN_DOCTYPE.test(doctype) ? '' : doctype}${rest}`
  } catch {
    return undefined // not a text
  }
}

/**
 * The file as a `data:` address. Throws RangeError, as the end of "PAY_SHOP_LOGO …", for one that is too large, of another type, or an
 * SVG that could run or load anything.
 */
export function readShopLogo(bytes: Uint8Array): string {
  if (bytes.length > MAX_LOGO_BYTES)
    throw new RangeError(`has ${Math.ceil(bytes.length / 1024)} KiB: it may have ${MAX_LOGO_BYTES / 1024} KiB`)
  const encoded = Buffer.from(bytes).toString('base64')
  const type = TYPES.find(([, fits]) => fits(bytes))?.[0]
  if (type !== undefined) return `data:${type};base64,${encoded}`
  const svg = svgText(bytes)
  if (svg === undefined) throw new RangeError('is no PNG, JPEG, WebP or SVG')
  checkSvg(svg)
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}
