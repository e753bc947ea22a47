// How one setting of the relay is written down: by its place in the TOML file; its variable follows from it.
import type { Secret } from '../lib/secret.js'
import * as its from './relay-values.js'
import { given, optional, type Setting, secret, type TomlForm, type ValueReader } from './setting.js'
import * as as from './values.js'

/** What a setting means, and what is out of the ordinary about it. */
interface About {
  readonly about: string
  /** The variable, where it is not RELAY_<SECTION>_<KEY>; that one is read too. */
  readonly variable?: string
  /** Further variables: those of the originals. */
  readonly also?: readonly string[]
  /** Further keys, as whole paths. */
  readonly otherKeys?: readonly string[]
  readonly neverEmpty?: boolean
}

/** The variable that stands for a key of the relay's file, `section.key`. */
export const variableOf = (key: string): string => `RELAY_${key.replace('.', '_').toUpperCase()}`

/** `[pay]` may be called as the original calls it. */
const SECTION_ALIAS = { pay: 'goblinpay' } as const

function keysBeside(key: string, otherKeys: readonly string[]): readonly string[] {
  const [section = '', name = ''] = key.split('.')
  return section === 'pay' ? [...otherKeys, `${SECTION_ALIAS.pay}.${name}`] : otherKeys
}

function place(key: string, form: TomlForm, { about, variable, also = [], otherKeys = [], neverEmpty = false }: About) {
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

const always =
  (form: TomlForm) =>
  <T>(key: string, initial: string, reader: ValueReader<T>, odd: About): Setting<T> => {
    const { name, about } = place(key, form, odd)
    return given(name, initial, reader, about)
  }

const perhaps =
  (form: TomlForm) =>
  <T>(key: string, reader: ValueReader<T>, odd: About): Setting<T | undefined> => {
    const { name, about } = place(key, form, odd)
    return optional(name, reader, about)
  }

export const text = always('text')
export const maybeText = perhaps('text')
export const amount = always('amount')
export const flag = (key: string, initial: boolean, about: About) =>
  always('switch')(key, String(initial), its.flag, about)
export const maybeFlag = (key: string, about: About) => perhaps('switch')(key, its.flag, about)
export const listed = always('texts')
export const maybeListed = perhaps('texts')
export const numbers = always('wholes')
export const kinds = always('kinds')
export const maybeKinds = perhaps('kinds')

type Bounds = readonly [min: number, max?: number]
export const whole = (key: string, initial: number, bounds: Bounds, about: About) =>
  always('whole')(key, String(initial), as.whole(...bounds), about)
export const maybeWhole = (key: string, bounds: Bounds, about: About) =>
  perhaps('whole')(key, as.whole(...bounds), about)

/** Its file is named by the key with `_file` behind it. */
export function hidden(key: string, reader: Parameters<typeof secret>[2], odd: About): Setting<Secret | undefined> {
  const { name, about } = place(key, 'text', odd)
  return secret(name, { ...about, fileWins: true }, reader)
}
