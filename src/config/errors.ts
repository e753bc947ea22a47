import { defineError, GrinpayError } from '../lib/errors.js'
import type { SettingProblem } from './problem.js'

const wrongSettings = defineError('CONFIGURATION', {
  status: 500,
  text: (problems: readonly SettingProblem[]) => `configuration error: ${problems.map(({ text }) => text).join('; ')}`, // wire: operators and units look for this start
  hint: 'grinpay config check',
})

/** Everything that is wrong with the settings of the till, in one line; `configurationProblems` reads the list back. */
export const configurationError = Object.assign(
  (problems: readonly SettingProblem[], hint = wrongSettings.hint): GrinpayError =>
    Object.assign(wrongSettings(problems), { problems, hint }),
  wrongSettings,
)

/** The single problems of a CONFIGURATION; undefined for anything else that was thrown. */
export const configurationProblems = (thrown: unknown): readonly SettingProblem[] | undefined =>
  thrown instanceof GrinpayError && 'problems' in thrown ? (thrown.problems as readonly SettingProblem[]) : undefined

/** The same of the name authority, with its own remedy. */
export const nameauthConfigurationError = (problems: readonly SettingProblem[]): GrinpayError =>
  configurationError(problems, 'grinpay config check --daemon nameauth')

/** The same of the relay. */
export const relayConfigurationError = (problems: readonly SettingProblem[]): GrinpayError =>
  configurationError(problems, 'grinpay config check --daemon relay')

/** The same of the policy as a program: the relay that starts it logs this. */
export const policyConfigurationError = (problems: readonly SettingProblem[]): GrinpayError =>
  configurationError(problems, 'correct the environment of the relay, or the file of RELAY_ENV_FILE')

export const configFileUnreadable = defineError('CONFIG_FILE_UNREADABLE', {
  status: 500,
  text: (path: string, why: string) => `configuration error: cannot read the configuration file ${path}: ${why}`,
  hint: 'check path and permissions; the relay also runs without a file',
})

export const envFileUnreadable = defineError('ENV_FILE_UNREADABLE', {
  status: 500,
  text: (path: string, why: string) => `configuration error: cannot read env file ${path}: ${why}`,
  hint: 'check path and permissions; grinpay setup creates the file',
})
