import { defineError } from '../lib/errors.js'

/** Everything that is wrong with the settings, in one line. */
export const configurationError = defineError('CONFIGURATION', {
  status: 500,
  text: (problems: readonly string[]) => `configuration error: ${problems.join('; ')}`, // wire: operators and units look for this start
  hint: 'grinpay config check',
})

export const envFileUnreadable = defineError('ENV_FILE_UNREADABLE', {
  status: 500,
  text: (path: string, why: string) => `configuration error: cannot read env file ${path}: ${why}`,
  hint: 'grinpay setup pay',
})
