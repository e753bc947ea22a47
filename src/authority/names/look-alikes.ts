// Which names could be mistaken for each other (specification: names, 3.4).
import type { NameShape } from '../model.js'

/** A digit and the letter that it resembles. Two letters never count as alike. */
const PAIRS = ['0o', '1i', '1l', '3e', '4a', '5s', '7t', '8b', '9g'] as const
const SEPARATORS = /[._-]/g

/** Both ways round, so that the relation is symmetric. */
const ALIKE: ReadonlySet<string> = new Set(
  PAIRS.flatMap(([digit = '', letter = '']) => [digit + letter, letter + digit]),
)

/** One representative for all characters connected by pairs: `1` resembles `i` and `l`, so the three share one. */
const SIGNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(PAIRS.map(([digit = '', letter = '']) => [digit, letter])),
  l: 'i',
  1: 'i',
}

/** The characters that a representative replaces. */
const DISGUISES = new RegExp(`[${Object.keys(SIGNS).join('')}]`, 'g')

const withoutSeparators = (name: string): string => name.replace(SEPARATORS, '')

/** The shape of a normalised name. `looksLike` is symmetric and not transitive: `mail` and `mall` both look like `mai1`. */
export function shapeOf(name: string): NameShape {
  const bare = withoutSeparators(name)
  const skeleton = bare.replace(DISGUISES, (sign) => SIGNS[sign] ?? sign)
  return { name, skeleton, looksLike: (other) => areAlike(bare, withoutSeparators(other)) }
}

function areAlike(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at] && !ALIKE.has(`${a[at]}${b[at]}`)) return false
  return true
}
