// The TOML file of the relay as an Environment: real variables win over it, whatever they are called.
import { join } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { messageOf } from '../lib/errors.js'
import { nearest } from '../lib/nearest.js'
import { foreignText } from '../lib/plain-text.js'
import type { Environment, Found } from './env.js'
import type { SettingProblem } from './problem.js'
import { RETIRED_KEYS, RETIRED_SECTIONS } from './relay-retired.js'
import type { Setting, TomlForm } from './setting.js'

export interface TomlFile {
  readonly path: string
  readonly text: string
}

export interface Layered {
  readonly environment: Environment
  /** What is wrong with the file itself: its form, unknown keys, values of the wrong type. */
  readonly problems: readonly SettingProblem[]
}

/** What a key of the file stands for. */
interface Target {
  readonly variable: string
  readonly form: TomlForm
  readonly setting: Setting<unknown>
}

/** Never throws. Without a file the environment stays as it is. */
export function layToml(
  file: TomlFile | undefined,
  settings: readonly Setting<unknown>[],
  environment: Environment,
): Layered {
  if (file === undefined) return { environment, problems: [] }
  const { found, problems } = readToml(file, targetsOf(settings))
  return { environment: { ...environment, find }, problems }

  /** A variable that is empty is unset, and leaves the word to the file; where it must not be empty, it stays for all to see. */
  function find(name: string): Found | undefined {
    const variable = environment.find(name)
    const entry = found.get(name)
    if (entry === undefined || isSetElsewhere(entry.setting, environment)) return variable
    return variable && entry.setting.neverEmpty ? variable : entry
  }
}

type Entry = Found & { readonly setting: Setting<unknown> }

/** Whether another name of the setting, or a systemd credential, says something: that counts more than the file. */
function isSetElsewhere({ name, aliases = [], secret }: Setting<unknown>, environment: Environment): boolean {
  const all = [name, ...aliases].flatMap((one) => (secret ? [one, `${one}_FILE`] : [one]))
  if (all.some((one) => (environment.find(one)?.text.trim() ?? '') !== '')) return true
  const { credentialsDirectory } = environment
  return (
    secret && credentialsDirectory !== undefined && isThere(environment, join(credentialsDirectory, name.toLowerCase()))
  )
}

function isThere(environment: Environment, path: string): boolean {
  try {
    environment.readFile(path)
    return true
  } catch {
    return false // absence is the usual case
  }
}

function targetsOf(settings: readonly Setting<unknown>[]): ReadonlyMap<string, Target> {
  const targets = new Map<string, Target>()
  for (const setting of settings) {
    const { key, otherKeys = [], form = 'text', name, secret } = setting
    for (const path of key === undefined ? [] : [key, ...otherKeys]) {
      targets.set(path, { variable: name, form, setting })
      if (secret) targets.set(`${path}_file`, { variable: `${name}_FILE`, form: 'text', setting })
    }
  }
  return targets
}

function readToml({ path, text }: TomlFile, targets: ReadonlyMap<string, Target>) {
  const found = new Map<string, Entry>()
  const problems: SettingProblem[] = []
  for (const { key, value } of entriesOf(text, path, targets, problems)) {
    const target = targets.get(key)
    if (target === undefined) problems.push({ setting: key, text: unknownKeyText(key, [...targets.keys()]) })
    else if (found.has(target.variable))
      problems.push({ setting: key, text: `${key} and ${found.get(target.variable)?.key} are both set` })
    else {
      const read = textOf(value, target.form)
      if ('wrong' in read) problems.push({ setting: key, text: `${key} must be ${read.wrong}` })
      else if (read.text === '' && target.setting.neverEmpty)
        problems.push({ setting: key, text: `${key} must not be empty` })
      else found.set(target.variable, { text: read.text, origin: path, key, setting: target.setting })
    }
  }
  return { found, problems }
}

interface Pair {
  readonly key: string
  readonly value: unknown
}

function entriesOf(
  text: string,
  path: string,
  targets: ReadonlyMap<string, Target>,
  problems: SettingProblem[],
): readonly Pair[] {
  try {
    const sections = new Set([...targets.keys()].map((key) => key.slice(0, key.indexOf('.'))))
    const table = Object.entries(
      parse(text, { integersAsBigInt: 'asNeeded', maxDepth: 8, unsafeKeyBehaviour: 'throw' }),
    )
    return table.flatMap(([section, value]) => {
      if (sections.has(section) && isTable(value))
        return Object.entries(value).map(([key, inner]) => ({ key: `${section}.${key}`, value: inner }))
      problems.push({ setting: section, text: noSection(section, isTable(value), [...sections]) })
      return []
    })
  } catch (error) {
    problems.push({ setting: null, text: `${path} is not valid TOML: ${whyNot(error)}` })
    return []
  }
}

/** The library's texts go on with the lines around the fault. */
function whyNot(error: unknown): string {
  const [text = ''] = messageOf(error).split('\n')
  return error instanceof TomlError
    ? `line ${error.line}, column ${error.column}: ${text.replace(/^[^:]*: /, '')}`
    : text
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.getPrototypeOf(value) !== Date.prototype &&
  !Array.isArray(value)

const meant = (near: string | undefined): string => (near === undefined ? '' : `; did you mean ${near}?`)

function noSection(section: string, isOne: boolean, sections: readonly string[]): string {
  if (!isOne)
    return sections.includes(section)
      ? `${section} must be a section: [${section}]`
      : `unknown setting ${section}; settings stand in sections`
  const remedy = RETIRED_SECTIONS[section]
  if (remedy !== undefined) return `unknown section [${section}]: ${remedy}`
  const near = nearest(section, sections)
  return `unknown section [${section}]${meant(near && `[${near}]`)}`
}

function unknownKeyText(key: string, known: readonly string[]): string {
  const remedy = RETIRED_KEYS[key]
  if (remedy !== undefined) return `unknown setting ${key}: ${remedy}`
  const [section = ''] = key.split('.')
  const inSection = known.filter((other) => other.startsWith(`${section}.`))
  return `unknown setting ${key}${meant(nearest(key, inSection))}`
}

type Read = { readonly text: string } | { readonly wrong: string }

const isWhole = (value: unknown): boolean =>
  (typeof value === 'number' && Number.isInteger(value)) || typeof value === 'bigint'
const isText = (value: unknown): value is string => typeof value === 'string'

/** A list, or one value in its place; texts hold no comma. */
const listOf =
  (isOne: (value: unknown) => boolean) =>
  (value: unknown): string | undefined => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    const ok = values.every((one) => isOne(one) && (!Array.isArray(value) || !foreignText(one).includes(',')))
    return ok ? values.join(',') : undefined
  }

const FORMS: Readonly<
  Record<TomlForm, { readonly wrong: string; readonly print: (value: unknown) => string | undefined }>
> = {
  text: { wrong: 'a text in quotes', print: (value) => (isText(value) ? value : undefined) },
  whole: {
    wrong: 'a whole number without quotes',
    print: (value) => (isWhole(value) ? foreignText(value) : undefined),
  },
  switch: { wrong: 'true or false', print: (value) => (typeof value === 'boolean' ? `${value}` : undefined) },
  amount: {
    wrong: 'an amount in GRIN',
    print: (value) => (isText(value) || typeof value === 'number' ? `${value}` : undefined),
  },
  texts: { wrong: 'a list of texts', print: listOf(isText) },
  wholes: { wrong: 'a list of whole numbers', print: listOf(isWhole) },
  kinds: {
    wrong: 'a list of kinds such as [1, "20000-29999"], or "all"',
    print: listOf((value) => isWhole(value) || (isText(value) && /^(?:all|\d+-\d+)$/i.test(value))),
  },
}

function textOf(value: unknown, form: TomlForm): Read {
  const { wrong, print } = FORMS[form]
  const text = print(value)
  return text === undefined ? { wrong } : { text }
}
