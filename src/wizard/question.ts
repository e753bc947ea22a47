// One question of a setup as one row: its text, its flag, its default, what it takes, the setting that it writes and how that is read back.
// A row loads nothing: commands make their flags of it, and `--help` is not to wait for the schema of the settings.
import { parseUrl } from '../lib/url.js'

/** What was said, by the keys of questions; a key that is missing was not said. */
export type AnswersOf<Key extends string> = { readonly [K in Key]?: string }
export type Answers = AnswersOf<string>

/** Settings of a file by name (of the relay by key), as text. */
export type Texts = ReadonlyMap<string, string>

/** Where a setup goes and what else is set up on the machine, as far as defaults depend on it. */
export interface Around {
  readonly dataDir?: string
  /** Where a till of this machine answers. */
  readonly tillAt?: string
  /** Where a name authority of this machine answers; undefined: there is none. */
  readonly namesAt?: string | undefined
  /** The proxy that is installed. */
  readonly proxy?: 'caddy' | 'nginx' | undefined
  /** Whether unit and proxy are written at all: not at a first start by hand. */
  readonly isService?: boolean
}

/** What the schema of the settings says of a text; the callers of a rule hand it in. */
export interface Schema {
  /** Why the text cannot be the value of this setting, as the end of "NAME …". */
  readonly refusal: (setting: string, text: string) => string | undefined
  /** Whether all readers of an env file take the text alike. */
  readonly isPortable: (text: string) => boolean
}

/** What is wrong with an answer, or undefined; never quotes it. */
export type Rule = (text: string, schema: Schema) => string | undefined

/** What a reconfiguration starts with, beside the texts of the settings. */
export interface Found {
  /** Of a till: how its wallet password is kept. */
  readonly keeping?: 'credential' | 'file' | 'manual' | undefined
  /** Of a name authority: whether holders may sell. */
  readonly sells?: boolean
}

export interface Question {
  /** As it is asked at a terminal. */
  readonly message: string
  /** Shown above it: what its answers mean. */
  readonly about?: string
  /** What --help says of its flag, which is the key with dashes. */
  readonly flag: string
  /** What stands for the answer there; not of words. */
  readonly value?: string
  /** The only answers there are; upper and lower case are the same. */
  readonly words?: readonly string[]
  /** Whether the question makes sense after the answers before it. */
  readonly applies?: (answers: Answers) => boolean
  /** What counts when nothing is said. Absent: it must be said, or `optional`. */
  readonly initial?: string | ((answers: Answers, around: Around) => string | undefined)
  readonly optional?: boolean
  /** False: never asked, only given. */
  readonly asked?: boolean | ((around: Around) => boolean | undefined)
  /** The form in which an answer is kept, made before it is judged: case, short words. */
  readonly tidy?: (text: string) => string
  /** A secret: a person types it, hidden; everywhere else the answer is the file that holds it. */
  readonly secret?: SecretAnswer
  /** The setting that the answer is: it judges it, takes it, and gives it back at a reconfiguration. */
  readonly setting?: string
  /** The word for a setting that is not set. */
  readonly unset?: string
  /** What an answer must be, where that is not what the setting must be. */
  readonly rule?: Rule
  /** An answer that `config check` remarks on is refused; a present value that stays is not held to it. */
  readonly isStrict?: boolean
  /** The settings that follow from the answers, where that is not this answer as it stands; undefined: not set. */
  readonly writes?: (answers: Answers, present: Texts) => Readonly<Record<string, string | undefined>>
  /** The answer that the present settings stand for, where that is not the text of the setting. */
  readonly readBack?: (present: Texts, found: Found) => string | undefined
  /** How the answer is tried out before anything is written. */
  readonly look?: 'domain' | 'host' | 'relay' | 'port' | 'till' | 'nodes' | 'nodesOfTill' | 'relays' | 'authority'
}

export interface SecretAnswer {
  /** The secret setting; settings name a file with it, never the secret. */
  readonly setting: string
  /** In the folder of the secrets. */
  readonly file: string
  /** For people, such as "the API token of the till". */
  readonly what: string
  /** What Enter means where there is none yet. */
  readonly enter: string
}

/** All questions of a setup, in the order in which they are asked. */
export type Questions<Key extends string = string> = Readonly<Record<Key, Question>>

export const rowsOf = <Key extends string>(questions: Questions<Key>): readonly (readonly [Key, Question])[] =>
  Object.entries(questions) as [Key, Question][]

/** Judged as this setting is. */
export const asSetting =
  (setting: string): Rule =>
  (text, { refusal }) =>
    refusal(setting, text)

/** The same, and not empty. */
export const notEmpty =
  (why: string, rule: Rule = () => undefined): Rule =>
  (text, schema) =>
    text === '' ? why : rule(text, schema)

export const lowerCase = (text: string): string => text.toLowerCase()
export const withoutSlashes = (text: string): string => text.replace(/\/+$/, '')

/** "a, b or c", as messages and refusals list them. */
export const wordList = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

/** One of these words. */
export const oneWordOf = (words: readonly string[]) => ({
  words,
  tidy: lowerCase,
  rule: (text: string) => (words.includes(text) ? undefined : `must be ${wordList(words)}`),
})

const SHORT: Readonly<Record<string, string>> = {
  ...{ y: 'yes', true: 'yes', on: 'yes', '1': 'yes' },
  ...{ n: 'no', false: 'no', off: 'no', '0': 'no' },
}

/** `yes` or `no`, also as y, n, on, off, true, false, 1 and 0. */
export const YES_NO = {
  ...oneWordOf(['yes', 'no']),
  words: ['no', 'yes'],
  tidy: (text: string) => SHORT[lowerCase(text)] ?? lowerCase(text),
}

/** The public address of names: a present one may have a port or a path, but its host must be the domain. */
export function baseUrlOf(present: string | undefined, domain = ''): string {
  return present !== undefined && parseUrl(present)?.hostname === domain ? present : `https://${domain}`
}
