// Rows as JSON and back. Amounts are decimal texts, bytes are hex: JSON numbers would round the one, and have no form for the other.
import { fromHex, toHex } from '../../lib/bytes.js'

type Json = null | boolean | string | number | readonly Json[] | { readonly [member: string]: Json }

/** `read` throws RangeError naming `what`; `write` throws it for what `read` would refuse: a row that is stored can be read. */
export interface Codec<T> {
  write(value: T): Json | undefined
  read(json: unknown, what: string): T
}

const fail = (what: string, wanted: string): never => {
  throw new RangeError(`${what}: ${wanted} expected`)
}

export const text: Codec<string> = {
  write: (value) => value,
  read: (json, what) => (typeof json === 'string' ? json : fail(what, 'a text')),
}

export const flag: Codec<boolean> = {
  write: (value) => value,
  read: (json, what) => (typeof json === 'boolean' ? json : fail(what, 'true or false')),
}

/** A whole number from 0 to 2^53-1. */
export const whole: Codec<number> = {
  write: (value) => (Number.isSafeInteger(value) && value >= 0 ? value : fail(`${value}`, 'a whole number')),
  read: (json, what) =>
    typeof json === 'number' && Number.isSafeInteger(json) && json >= 0 ? json : fail(what, 'a whole number'),
}

/** A value with a meaning that its form does not show. */
export const meaning = <T>(of: Codec<T>, isMeant: (value: T) => boolean, wanted: string): Codec<T> => ({
  write: (value) => (isMeant(value) ? of.write(value) : fail(`${value}`, wanted)),
  read(json, what) {
    const value = of.read(json, what)
    return isMeant(value) ? value : fail(what, wanted)
  },
})

/** This many bytes, as text in lower-case hex. */
export const hexText = (length: number): Codec<string> =>
  meaning(text, (value) => value.length === 2 * length && /^[0-9a-f]*$/.test(value), `${length} bytes in hex`)

/** A whole number up to `most`. */
export const upTo = (most: number): Codec<number> => meaning(whole, (value) => value <= most, `at most ${most}`)

/** Nanogrin. */
export const amount: Codec<bigint> = {
  write: (value) => (value >= 0n ? `${value}` : fail(`${value}`, 'an amount in nanogrin')),
  read: (json, what) =>
    typeof json === 'string' && /^\d{1,30}$/.test(json) ? BigInt(json) : fail(what, 'an amount in nanogrin'),
}

export const bytes: Codec<Uint8Array> = {
  write: toHex,
  read: (json, what) => (typeof json === 'string' ? fromHex(json, undefined, what) : fail(what, 'hex')),
}

export const oneOf = <T extends string>(values: readonly T[]): Codec<T> => ({
  write: (value) => value,
  read: (json, what) => values.find((value) => value === json) ?? fail(what, `one of ${values.join(', ')}`),
})

export const list = <T>(of: Codec<T>): Codec<readonly T[]> => ({
  write: (values) => values.map((value) => of.write(value) ?? null),
  read: (json, what) =>
    Array.isArray(json) ? json.map((one: unknown, at) => of.read(one, `${what} ${at}`)) : fail(what, 'a list'),
})

/** A member that may be missing. */
export interface OptionalCodec<T> extends Codec<T | undefined> {
  readonly isOptional: true
}

export const optional = <T>(of: Codec<T>): OptionalCodec<T> => ({
  isOptional: true,
  write: (value) => (value === undefined ? undefined : of.write(value)),
  read: (json, what) => (json === undefined ? undefined : of.read(json, what)),
})

type Members = Readonly<Record<string, Codec<unknown>>>
type Of<C> = C extends Codec<infer T> ? T : never
type Needed<M> = { readonly [K in keyof M as M[K] extends OptionalCodec<unknown> ? never : K]: Of<M[K]> }
type Possible<M> = {
  readonly [K in keyof M as M[K] extends OptionalCodec<unknown> ? K : never]?: Exclude<Of<M[K]>, undefined>
}

/** The row that a codec of these members reads and writes. */
export type RowOf<M> = Needed<M> & Possible<M>

/** Unknown members are ignored, so that a newer version may add some. */
export function object<M extends Members>(members: M): Codec<RowOf<M>> {
  const entries = Object.entries(members)
  return {
    write(row) {
      const values: Readonly<Record<string, unknown>> = row
      return Object.fromEntries(
        entries.flatMap(([name, codec]) => {
          const json = codec.write(values[name])
          return json === undefined ? [] : [[name, json]]
        }),
      )
    },
    read(json, what) {
      if (typeof json !== 'object' || json === null || Array.isArray(json)) return fail(what, 'an object')
      const from: Readonly<Record<string, unknown>> = { ...json }
      const read = entries.flatMap(([name, codec]) => {
        const value = codec.read(from[name], `${what} ${name}`)
        return value === undefined ? [] : [[name, value]]
      })
      return Object.fromEntries(read) as RowOf<M>
    },
  }
}
