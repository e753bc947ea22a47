// Accepts an untrusted SVG that only draws, so that a page may embed it unchanged (specification: invoicing, 2.11). Every element,
// attribute and value must match the lists below; the text is never repaired.

const MOST_CHARACTERS = 65_536
/** Maximum nesting of elements. */
const DEEPEST = 16

const NUMBER = /^-?\d{0,6}(?:\.\d{1,9})?%?$/
const TEXT = /^(?:[^&]|&(?:amp|lt|gt|quot|apos|#39);)*$/
const COLOR = /^(?:[A-Za-z]{1,24}|#[0-9A-Fa-f]{3,8})$/
const FILL_RULE = /^(?:nonzero|evenodd)$/
const TRANSFORM = /^(?:(?:matrix|translate|scale|rotate|skewX|skewY)\([\d\s.,+-]*\)\s*)*$/
const RASTER = /^data:image\/(?:png|jpeg|webp|gif);base64,[A-Za-z0-9+/]+={0,2}$/

const AREA = { x: NUMBER, y: NUMBER, width: NUMBER, height: NUMBER }

/** Elements with their attributes, each with the form of its value. */
const ELEMENTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    width: NUMBER,
    height: NUMBER,
    viewBox: /^[\d\s.,-]*$/,
    role: /^img$/,
    'shape-rendering': /^[A-Za-z]*$/,
    class: /^qr$/, // another name could be a class of the page
    'aria-label': TEXT,
  },
  g: { fill: COLOR, 'fill-rule': FILL_RULE, transform: TRANSFORM },
  rect: { ...AREA, rx: NUMBER, ry: NUMBER, fill: COLOR },
  path: { d: /^[\d\s.,+eMmZzLlHhVvCcSsQqTtAa-]*$/, fill: COLOR, 'fill-rule': FILL_RULE },
  circle: { cx: NUMBER, cy: NUMBER, r: NUMBER, fill: COLOR },
  image: { ...AREA, href: RASTER, 'xlink:href': RASTER, preserveAspectRatio: /^[A-Za-z ]*$/ },
  title: {},
}

/** One tag and the text up to the next one. Values are quoted; white space separates attributes. */
const TAG = /<(\/?)([a-z]+)((?:\s+[A-Za-z:-]+=(?:"[^"<>]*"|'[^'<>]*'))*)\s*(\/?)>([^<>]*)/y
const ATTRIBUTE = /([A-Za-z:-]+)=(?:"([^"]*)"|'([^']*)')/g

/** Exactly one `svg` element, closed at the very end, of at most 64 Ki characters. */
export function isPlainSvg(text: string): boolean {
  if (text.length > MOST_CHARACTERS || !text.startsWith('<svg') || !text.endsWith('</svg>')) return false
  let open: readonly string[] | undefined = []
  TAG.lastIndex = 0
  for (let at = 0; at < text.length && open; at = TAG.lastIndex) {
    const match = TAG.exec(text)
    open = match && (at === 0 || open.length > 0) ? openAfter(open, match) : undefined
  }
  return open?.length === 0
}

/** The open elements after a tag, outermost first; undefined for an invalid tag. */
function openAfter(open: readonly string[], tag: RegExpExecArray): readonly string[] | undefined {
  const [, closing, name = '', attributes = '', selfClosing, following = ''] = tag
  const inside = open.at(-1)
  let after = open
  if (closing === '/') {
    if (inside !== name || attributes + selfClosing !== '') return undefined
    after = open.slice(0, -1)
  } else {
    if (inside === 'title' || open.length >= DEEPEST || !hasOnlyKnown(name, attributes)) return undefined
    if (selfClosing === '') after = [...open, name]
  }
  return mayFollow(after.at(-1), following) ? after : undefined
}

function hasOnlyKnown(element: string, attributes: string): boolean {
  const known = Object.hasOwn(ELEMENTS, element) ? ELEMENTS[element] : undefined
  if (known === undefined) return false
  return [...attributes.matchAll(ATTRIBUTE)].every(
    ([, name = '', double, single]) => Object.hasOwn(known, name) && known[name]?.test(double ?? single ?? ''),
  )
}

/** Allows text in a title only, and none after the end. */
function mayFollow(inside: string | undefined, text: string): boolean {
  if (inside === undefined) return text === ''
  return inside === 'title' ? TEXT.test(text) : text.trim() === ''
}
