import { defineError, type GrinpayError } from '../lib/errors.js'

/** Everything that is wrong with the settings, in one line. */
export const configurationError = defineError('CONFIGURATION', {
  status: 500,
  text: (problems: readonly string[]) => `configuration error: ${problems.join('; ')}`, // wire: operators and units look for this start
  hint: 'grinpay config check',
})

/** The same of the name authority, with its own remedy. */
export const nameauthConfigurationError = (problems: readonly string[]): GrinpayError =>
  Object.assign(configurationError(problems), { hint: 'grinpay config check --daemon nameauth' })

/** The same of the relay. */
export const relayConfigurationError = (problems: readonly string[]): GrinpayError =>
  Object.assign(configurationError(problems), { hint: 'grinpay config check --daemon relay' })

/** The same of the policy as a program: whoever starts it shows this in a log. */
export const policyConfigurationError = (problems: readonly string[]): GrinpayError =>
  Object.assign(configurationError(problems), {
    hint: 'correct the environment of the relay, or the file of RELAY_ENV_FILE',
  })

export const configFileUnreadable = defineError('CONFIG_FILE_UNREADABLE', {
  status: 500,
  text: (path: string, why: string) => `configuration error: cannot read the configuration file ${path}: ${why}`,
  hint: 'check the path and who may read the file; the relay runs without one too',
})

export const envFileUnreadable = defineError('ENV_FILE_UNREADABLE', {
  status: 500,
  text: (path: string, why: string) => `configuration error: cannot read env file ${path}: ${why}`,
  hint: 'check the path and who may read the file; grinpay setup pay, or grinpay setup nameauth, makes one',
})
