// What a name may look like (specification: names, 3.1 and 3.2).

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
