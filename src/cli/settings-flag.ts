// `--settings FILE`, the same on every command that reads the settings of a daemon.
import { Flags } from '@oclif/core'

/** What one command says otherwise. */
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
