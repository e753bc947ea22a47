// Which daemon a command is about, and which settings file: the same on every command.
import { Flags } from '@oclif/core'

/** `--daemon pay`, `nameauth` or `relay`; undefined: what the settings tell. */
export const daemonFlag = Flags.option({
  options: ['pay', 'nameauth', 'relay'] as const,
  description: 'the daemon; default: the till or name authority with settings here',
})

/** What a command may set otherwise. */
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
