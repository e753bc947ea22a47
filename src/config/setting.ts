// The shape of one setting. The loader, `config show`, docs/settings.md and the env template all read the same table.
import { Secret } from '../lib/secret.js'
import { hasWeak, isHashed, LEAST_SECRET, parseSecretLines, type SecretLine } from '../lib/secret-lines.js'
import { webhookSecretFault } from '../lib/webhooks.js'

/** A text as a checked value, or why it is none, as the end of "NAME …". */
type Outcome<T> = { readonly success: true; readonly value: T } | { readonly success: false; readonly problem: string }
export type ValueReader<T> = (text: string) => Outcome<T>

/** What a value in a TOML file must be. */
export type TomlForm = 'text' | 'whole' | 'switch' | 'amount' | 'texts' | 'wholes' | 'kinds'

export interface Setting<T> {
  readonly name: string
  readonly group: string
  /** One sentence for people. */
  readonly about: string
  /** The text that counts when nothing is set; absent = nothing. */
  readonly initial?: string
  readonly secret: boolean
  /** A secret that is better kept in a file: moves money or signs for the till. */
  readonly money?: boolean
  /** Other names the setting is read under, best first; by default the usual one of the originals. */
  readonly aliases?: readonly string[]
  /** Both the text and a file are set: the file counts, instead of a problem. */
  readonly fileWins?: boolean
  /** An empty file counts as unset, instead of a problem. */
  readonly mayBeEmpty?: boolean
  /** Where it stands in a TOML file, `section.key`; messages use this name instead of the variable's. */
  readonly key?: string
  /** Further places it is read from there. */
  readonly otherKeys?: readonly string[]
  /** How it is written there. */
  readonly form?: TomlForm
  /** Empty is a mistake, there and in a variable, instead of unset. */
  readonly neverEmpty?: boolean
  /** What is worth a word although the text was understood, as the end of "NAME …". */
  readonly remark?: (text: string) => string | undefined
  read(text: string | undefined): Outcome<T>
}

/** One line of `config show`. Secrets read `set` or `unset`, never their value. */
export interface EffectiveSetting {
  readonly name: string
  readonly value: string
  readonly origin: string
}

type About = Pick<Setting<unknown>, 'about' | 'aliases' | 'remark' | 'key' | 'otherKeys' | 'form' | 'neverEmpty'> & {
  /** Of a TOML file its section; elsewhere `grouped` says it. */
  readonly group?: string
}
type AboutSecret = About & Pick<Setting<unknown>, 'money' | 'fileWins' | 'mayBeEmpty'>

/** A setting that always has a value. */
export const given = <T>(name: string, initial: string, reader: ValueReader<T>, about: About): Setting<T> => ({
  name,
  initial,
  secret: false,
  group: '',
  ...about,
  read: (text) => reader(text ?? initial),
})

/** A setting that may stay unset. */
export const optional = <T>(name: string, reader: ValueReader<T>, about: About): Setting<T | undefined> => ({
  name,
  secret: false,
  group: '',
  ...about,
  read: (text) => (text === undefined ? { success: true, value: undefined } : reader(text)),
})

/** Rows below one title of docs/settings.md. */
export const grouped = <Rows extends Readonly<Record<string, Setting<unknown>>>>(group: string, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([key, row]) => [key, { ...row, group }])) as Rows

const secretText: ValueReader<Secret> = (text) => ({ success: true, value: new Secret(text) })

/** A secret, readable from `NAME_FILE` and from systemd credentials too. */
export const secret = (
  name: string,
  about: AboutSecret,
  reader: ValueReader<Secret> = secretText,
): Setting<Secret | undefined> => ({ ...optional(name, reader, about), ...about, secret: true })

/** Several secrets of which each is good: the one in force first, and older ones for as long as they say. */
export const secretLines = (
  name: string,
  about: AboutSecret & LinesAbout,
): Setting<readonly SecretLine[] | undefined> => ({
  ...optional(name, linesReader(about), about),
  ...about,
  secret: true,
})

/** The end of "NAME …"; `rotated`: as `grinpay secret rotate` calls it. */
export const weakSecret = (rotated?: string): string =>
  `can be guessed: it must have at least ${LEAST_SECRET} characters${rotated === undefined ? '' : ` (grinpay secret rotate ${rotated} makes a new one)`}`

interface LinesAbout {
  /** `compared`: a hash will do. `webhook`: the till signs with it. */
  readonly use: 'compared' | 'webhook'
  /** As `grinpay secret rotate` calls it. */
  readonly rotated: string
}

/** The first line that is no key of webhooks, also one that ends by itself: until then the till would sign with it. */
function faultyKey(lines: readonly SecretLine[], rotated: string): string | undefined {
  const faults = lines.map(({ secret }) => webhookSecretFault(secret.reveal()))
  const at = faults.findIndex((fault) => fault !== undefined)
  if (at < 0) return undefined
  const place = lines.length === 1 ? '' : ` (secret ${at + 1} of ${lines.length})`
  return `${faults[at]}${place}: grinpay secret rotate ${rotated} makes a new one`
}

const linesReader =
  ({ use, rotated }: LinesAbout): ValueReader<readonly SecretLine[]> =>
  (text) => {
    try {
      const lines = parseSecretLines(text)
      if (hasWeak(lines)) return { success: false, problem: weakSecret(rotated) }
      if (use === 'compared') return { success: true, value: lines }
      if (lines.some(isHashed)) return { success: false, problem: 'must not be a hash: the till signs with it' }
      const fault = faultyKey(lines, rotated)
      return fault === undefined ? { success: true, value: lines } : { success: false, problem: fault }
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return { success: false, problem: error.message }
    }
  }
