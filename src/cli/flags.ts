// Arguments, flags and examples that several commands share.
import { Args, Flags } from '@oclif/core'
import { DAEMON_NAMES } from '../lib/daemon-names.js'

const COMMAND = '<%= config.bin %> <%= command.id %>'

/** Examples of a command from what is typed behind it; a text that names the command itself is a line of its own. */
export const examplesOf = (...typed: readonly string[]): string[] =>
  typed.map((text) => (text.includes(COMMAND) ? text : `${COMMAND} ${text}`.trimEnd()))

/** Overrides of one command. */
interface SettingsFlag {
  readonly helpGroup?: string
  readonly aliases?: string[]
}

/**
 * The flag with this description. `--env-file` is its older name: Node 20 reads that one itself wherever it stands, and ends with 9 when
 * the file is missing or a folder.
 */
export const settingsFlag = (description: string, { helpGroup, aliases = ['env-file'] }: SettingsFlag = {}) =>
  Flags.string({ description, helpValue: 'FILE', aliases, ...(helpGroup === undefined ? {} : { helpGroup }) })

/** An id that may be shortened; `wholeId` of the commands completes it. */
export const idArg = (of: 'invoice' | 'payment' | 'event' | 'offer', note = '') =>
  Args.string({ required: true, description: `${of} id${note}, or its first 6 characters or more` })

/** `--daemon pay`, `nameauth` or `relay`; undefined: the daemon that the settings belong to. */
export const daemonFlag = Flags.option({
  options: DAEMON_NAMES,
  description: 'the daemon; default: the till or name authority with settings here',
})

/** PAY_WEBHOOK_URL is receiver 1, PAY_WEBHOOK_2_URL receiver 2, and so on. */
export const receiverFlag = (description: string) => ({
  receiver: Flags.integer({ description, helpValue: '1-8', min: 1, max: 8 }),
})

export const serveFlags = {
  check: Flags.boolean({ description: 'load and check the settings, then exit' }),
  'log-level': Flags.option({
    options: ['debug', 'info', 'warn', 'error'] as const,
    default: 'info',
    description: 'log level',
  })(),
}

/** Of commands that steer a running sandbox. */
export const sandboxFlags = {
  'node-port': Flags.integer({
    description: 'port of the sandbox node',
    default: 8421,
    min: 1,
    max: 65535,
    helpValue: 'PORT',
  }),
}

/** Of commands that ask another daemon question by question. */
export const answerFlags = {
  timeout: Flags.integer({
    description: 'seconds to wait for each answer',
    default: 30,
    min: 1,
    max: 3600,
    helpValue: 'SECONDS',
  }),
}

/** Of lists of what was created; `createdBetween` reads them. */
export const createdFlags = {
  from: Flags.string({ description: 'created on or after this day, month or moment (UTC)', helpValue: 'DATE' }),
  to: Flags.string({
    description: 'created up to this day or month, included (UTC); or before this moment',
    helpValue: 'DATE',
  }),
}

/** The file that a flag names; undefined for `-`, standard output. */
export const outputFile = (named: string | undefined): string | undefined => (named === '-' ? undefined : named)
