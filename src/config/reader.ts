// From a table of settings to their values, with everything that is wrong and everything worth a word. Knows no daemon.
import type { GrinpayError } from '../lib/errors.js'
import { Secret } from '../lib/secret.js'
import type { Environment } from './env.js'
import { envFileNotices } from './env-file-notices.js'
import { problemsAbout, type SettingNotice, type SettingProblem } from './problem.js'
import { type Resolution, resolveSetting } from './resolve.js'
import { openTo } from './secret-modes.js'
import type { Setting } from './setting.js'
import { unknownSettings } from './unknown-settings.js'

type ValueOf<S> = S extends Setting<infer T> ? T : never

/** One member per setting, as read. */
export type ValuesOf<Settings> = { readonly [K in keyof Settings]: ValueOf<Settings[K]> }

/** A rule that looks at more than one setting; also those that are broken may be missing. */
export interface SettingRule<Values> {
  /** The one to change first. */
  readonly setting: keyof Values
  /** The whole sentence, or with `isPredicate` the end of "NAME …". */
  readonly refusal: string | ((values: Partial<Values>) => string)
  /** The rule is about this setting alone, and a setup holds new answers to it. */
  readonly isPredicate?: true
  readonly breaks: (values: Partial<Values>) => boolean
}

export interface SettingTable<Values> {
  readonly settings: { readonly [K in keyof Values]: Setting<Values[K]> }
  /** Every broken one is a problem. */
  readonly rules: readonly SettingRule<Values>[]
  /** What deserves a word at start although it is allowed. */
  readonly remarks: readonly SettingRule<Values>[]
  /** Names that begin so and are no settings are mostly typing errors. */
  readonly prefix: string
  /** Names with the prefix that another program reads. */
  readonly foreign?: readonly string[]
  /** Names that no longer mean anything, and what to do about them. */
  readonly retired?: Readonly<Record<string, string>>
  /** CONFIGURATION, with the daemon's own remedy. */
  readonly refuse: (problems: readonly SettingProblem[]) => GrinpayError
}

export interface Reading<Values> {
  readonly values: Partial<Values>
  readonly problems: SettingProblem[]
  readonly notices: SettingNotice[]
}

export const keysOf = <T extends object>(table: T): readonly (keyof T)[] => Object.keys(table) as (keyof T)[]

/** Never throws; the values of broken settings are missing. Secrets are never quoted. */
export function readTable<Values extends object>(
  environment: Environment,
  table: SettingTable<Values>,
): Reading<Values> {
  const values: Partial<Values> = {}
  const problems: SettingProblem[] = []
  const { envFile, filed } = environment
  const notices: SettingNotice[] = envFile && filed ? [...envFileNotices(envFile, filed)] : []
  for (const key of keysOf(table.settings)) {
    const setting = table.settings[key]
    const resolution = resolveSetting(environment, setting)
    const outcome = readOne(setting, resolution)
    if ('problem' in outcome) problems.push({ setting: publicName(setting), text: outcome.problem })
    else Object.assign(values, { [key]: outcome.value })
    notices.push(...noticesOf(setting, resolution, environment))
  }
  problems.push(...brokenOf(table.rules, values, table.settings))
  notices.push(
    ...brokenOf(table.remarks, values, table.settings),
    ...unknownSettings(environment, Object.values(table.settings), table),
  )
  return { values, problems, notices }
}

/** All values. Throws CONFIGURATION with every problem in one line. */
export function requireAll<Values extends object>(
  { settings, refuse }: SettingTable<Values>,
  { values, problems }: Reading<Values>,
): Values {
  const isComplete = (some: Partial<Values>): some is Values => keysOf(settings).every((key) => key in some)
  if (problems.length > 0 || !isComplete(values)) throw refuse(problems)
  return values
}

/** Some values; other settings may be wrong. Throws CONFIGURATION with the problems about these. */
export function requireSome<Values extends object, Key extends keyof Values>(
  { settings, refuse }: SettingTable<Values>,
  { values, problems }: Reading<Values>,
  keys: readonly Key[],
): Pick<Values, Key> {
  const isThere = (some: Partial<Values>): some is Values => keys.every((key) => key in some)
  const wrong = problemsAbout(
    problems,
    keys.map((key) => publicName(settings[key])),
  )
  if (wrong.length > 0 || !isThere(values)) throw refuse(wrong.length > 0 ? wrong : problems)
  return pick(values, keys)
}

/** Some of the values, as they are. */
export const pick = <Values extends object, Key extends keyof Values>(
  values: Values,
  keys: readonly Key[],
): Pick<Values, Key> => Object.fromEntries(keys.map((key) => [key, values[key]])) as Pick<Values, Key>

/** As docs/settings.md calls it: of the relay the key of its file. */
export const publicName = ({ name, key }: Pick<Setting<unknown>, 'name' | 'key'>): string => key ?? name

const brokenOf = <Values>(
  rules: readonly SettingRule<Values>[],
  values: Partial<Values>,
  settings: SettingTable<Values>['settings'],
): readonly SettingNotice[] =>
  rules
    .filter(({ breaks }) => breaks(values))
    .map(({ setting, refusal, isPredicate }) => {
      const name = publicName(settings[setting])
      const text = typeof refusal === 'string' ? refusal : refusal(values)
      return isPredicate ? { setting: name, text: `${name} ${text}`, predicate: text } : { setting: name, text }
    })

/** A user name and password in an address; no setting takes them, but an operator may try. */
const CREDENTIALS = /\/\/[^/\s]*@/g

function readOne(
  setting: Setting<unknown>,
  resolution: Resolution,
): { readonly value: unknown } | { readonly problem: string } {
  if (resolution.outcome === 'problem') return { problem: resolution.problem }
  const text = resolution.outcome === 'found' ? resolution.text : undefined
  const read = setting.read(text)
  if (read.success) return { value: withFile(read.value, resolution) }
  const name = (resolution.outcome === 'found' && resolution.key) || setting.name
  return {
    problem: `${name} ${read.problem}${setting.secret ? '' : ` (got "${text?.replace(CREDENTIALS, '//…@')}")`}`,
  }
}

/** A part that uses a secret for long may read it again. */
const withFile = (value: unknown, resolution: Resolution): unknown =>
  value instanceof Secret && 'file' in resolution ? new Secret(value.reveal(), resolution.file) : value

function noticesOf(
  setting: Setting<unknown>,
  resolution: Resolution,
  environment: Environment,
): readonly SettingNotice[] {
  if (resolution.outcome !== 'found') return []
  const { name, money, remark } = setting
  const inline = resolution.origin === 'environment' || resolution.origin === environment.envFile
  const said = remark?.(resolution.text)
  const texts = [
    ...(resolution.alias && isOld(resolution.alias, name)
      ? [`${resolution.alias} is read as ${name}; please rename it`]
      : []),
    ...(money && inline ? [`${name} is set inline; prefer ${name}_FILE or a systemd credential`] : []),
    ...(said === undefined ? [] : [`${name} ${said}`]),
  ]
  return [
    ...texts.map((text) => ({ setting: publicName(setting), text })),
    ...(setting.secret ? openTo(name, resolution.origin, environment) : []),
  ]
}

/** A second name of ours needs no renaming. */
const isOld = (alias: string, name: string): boolean => alias.split('_')[0] !== name.split('_')[0]
