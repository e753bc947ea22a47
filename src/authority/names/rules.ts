// What a name may look like, which names look alike, and which are reserved (specification: names, 3.1 to 3.4).
import type { NameShape } from '../model.js'

/** In characters, both ends inclusive. */
export interface NameBounds {
  readonly nameMin: number
  readonly nameMax: number
}

const FORM = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/

/** Unicode lower-casing and nothing else: no trimming, no compatibility forms. */
export const normaliseName = (typed: string): string => typed.toLowerCase()

/** The name of the domain itself (NIP-05): clients show `_@domain` as the domain alone. The operator assigns it; it cannot be claimed or sold. */
const ROOT_NAME = '_'

/** Of a normalised name: its length, its characters, a letter or digit at both ends. Repeated separators inside are legal. */
export const isValidName = (name: string, { nameMin, nameMax }: NameBounds): boolean =>
  name.length >= nameMin && name.length <= nameMax && FORM.test(name)

/** Of a normalised name: whether a key can hold it, by its own claim or by the operator. */
export const isHoldableName = (name: string, bounds: NameBounds): boolean =>
  name === ROOT_NAME || isValidName(name, bounds)

// Which names could be mistaken for each other (specification: names, 3.4).

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

// Reserved names (specification: names, 3.3).

/** The built-in list, in its published order. */
export const BUILT_IN: readonly string[] = `
  admin administrator root support help info mail email www relay nostr pay payment payments wallet official
  security abuse postmaster hostmaster webmaster contact team staff mod moderator moderators system bot api app
  dev developer test testing anonymous anon null void owner ceo register registration account accounts verify
  verified billing donate treasury faucet exchange swap bank money cash fees fee node miner mining explorer
  status blog news docs wiki store shop
`
  .trim()
  .split(/\s+/)

/** The reserved labels of a host name: all but the last, or the only one. Lower-case, none empty. */
export function domainLabels(domain: string): readonly string[] {
  const labels = domain
    .trim()
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '')
  return labels.length > 1 ? labels.slice(0, -1) : labels
}

/** Why the settings reserve a name: it looks like `word` of that list. */
export interface Reservation {
  readonly word: string
  readonly list: 'built-in' | 'domain' | 'operator'
}

/** Checks the settings only; rows in the database are checked by the store. */
export type ReservedCheck = (shape: NameShape) => Reservation | undefined

/** The check for one domain. `extra`: the operator's words, in upper or lower case. */
export function createReservedCheck(given: {
  readonly domain: string
  readonly extra: readonly string[]
}): ReservedCheck {
  const bySkeleton = new Map<string, Reservation[]>()
  function keep(list: Reservation['list'], words: readonly string[]): void {
    for (const typed of words) {
      const word = normaliseName(typed)
      const { skeleton } = shapeOf(word)
      const others = bySkeleton.get(skeleton)
      if (others) others.push({ word, list })
      else bySkeleton.set(skeleton, [{ word, list }])
    }
  }
  keep('built-in', BUILT_IN)
  keep('domain', domainLabels(given.domain))
  keep('operator', given.extra)
  return (shape) => bySkeleton.get(shape.skeleton)?.find(({ word }) => shape.looksLike(word))
}
