// What a name may look like (specification: names, 3.1 and 3.2).

/** In characters, both ends inclusive. */
export interface NameBounds {
  readonly nameMin: number
  readonly nameMax: number
}

const FORM = /^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/

/** Unicode lower-casing and nothing else: no trimming, no compatibility forms. */
export const normaliseName = (typed: string): string => typed.toLowerCase()

/** Of a normalised name: its length, its characters, a letter or digit at both ends. Repeated separators inside are legal. */
export const isValidName = (name: string, { nameMin, nameMax }: NameBounds): boolean =>
  name.length >= nameMin && name.length <= nameMax && FORM.test(name)
