// How one setting of the relay is written down: by its place in the TOML file; its variable follows from it.
import * as its from './relay-values.js'
import { given, optional, type Setting, secret, type TomlForm, type ValueReader } from './setting.js'
import * as as from './values.js'
import { variableOf } from './variable.js'

/** What is out of the ordinary about a setting. */
interface Odd {
  /** The variable, where it is not RELAY_<SECTION>_<KEY>; that one is read too. */
  readonly variable?: string
  /** Further variables: those of the originals. */
  readonly also?: readonly string[]
  /** Further keys, as whole paths. */
  readonly otherKeys?: readonly string[]
  readonly neverEmpty?: boolean
}

/** `[pay]` may be called as the original calls it. */
const SECTION_ALIAS = { pay: 'goblinpay' } as const

function keysBeside(key: string, otherKeys: readonly string[]): readonly string[] {
  const [section = '', name = ''] = key.split('.')
  return section === 'pay' ? [...otherKeys, `${SECTION_ALIAS.pay}.${name}`] : otherKeys
}

function place(key: string, form: TomlForm, about: string, odd: Odd) {
  const { variable, also = [], otherKeys = [], neverEmpty = false } = odd
  return {
    name: variable ?? variableOf(key),
    about: {
      ...{ key, form, about, neverEmpty },
      group: key.slice(0, key.indexOf('.')),
      aliases: [...(variable === undefined ? [] : [variableOf(key)]), ...also],
      otherKeys: keysBeside(key, otherKeys),
    },
  }
}

type Line<T> = (key: string, about: string, odd?: Odd) => Setting<T>

const always =
  (form: TomlForm) =>
  <T>(initial: string, reader: ValueReader<T>): Line<T> =>
  (key, about, odd = {}) => {
    const at = place(key, form, about, odd)
    return given(at.name, initial, reader, at.about)
  }

const perhaps =
  (form: TomlForm) =>
  <T>(reader: ValueReader<T>): Line<T | undefined> =>
  (key, about, odd = {}) => {
    const at = place(key, form, about, odd)
    return optional(at.name, reader, at.about)
  }

export const text = always('text')
export const maybeText = perhaps('text')
export const amount = always('amount')
export const flag = (initial: boolean): Line<boolean> => always('switch')(String(initial), its.flag)
export const maybeFlag: Line<boolean | undefined> = perhaps('switch')(its.flag)
export const listed = always('texts')
export const maybeListed = perhaps('texts')
export const numbers = always('wholes')
export const kinds = always('kinds')
export const maybeKinds = perhaps('kinds')

export const whole = (initial: number, min: number, max?: number): Line<number> =>
  always('whole')(String(initial), as.whole(min, max))
export const maybeWhole = (min: number, max?: number): Line<number | undefined> => perhaps('whole')(as.whole(min, max))

/** Its file is named by the key with `_file` behind it. */
export const hidden =
  (reader: Parameters<typeof secret>[2]): Line<import('../lib/secret.js').Secret | undefined> =>
  (key, about, odd = {}) => {
    const at = place(key, 'text', about, odd)
    return secret(at.name, { ...at.about, fileWins: true }, reader)
  }
