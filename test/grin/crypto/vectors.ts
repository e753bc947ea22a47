// Reads test/vectors/crypto: made around the real C library (origin in the README there).
import { readFileSync } from 'node:fs'
import { type Scalar, toInteger } from '../../../src/grin/crypto/scalar.js'
import { fromHex } from '../../../src/lib/bytes.js'

/** The parsed JSON of a vector file. */
export function vectorFile<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../vectors/${name}.json`, import.meta.url), 'utf8')) as T
}

/** All cases of a file of test/vectors/crypto; an empty list would let a test pass without testing. */
export function casesOf<T>(name: string): T[] {
  const { cases } = vectorFile<{ cases: T[] }>(`crypto/${name}`)
  if (cases.length === 0) throw new Error(`${name}.json has no cases`)
  return cases
}

export const bytes = (hex: string): Uint8Array => fromHex(hex)

/** A scalar without any check, to feed values the code must refuse. */
export const scalar = (hex: string): Scalar => toInteger(fromHex(hex))

export const optional = (hex: string | null): Uint8Array | undefined => (hex === null ? undefined : fromHex(hex))
