// Secrets in files of root: systemd hands them over under names that the daemon looks for.
import { type DaemonName, settingGroups } from '../../config/index.js'

export interface Credential {
  /** The setting in lower case. */
  readonly name: string
  readonly path: string
  /** Made by systemd-creds for this machine. */
  readonly isSealed: boolean
}

/** Of the secret settings of a daemon those that `fileOf` knows the file of, by the setting's variable (of the relay by its key too). */
export const credentialsOf = (
  daemon: DaemonName,
  fileOf: (variable: string, key: string) => string | undefined,
): readonly Credential[] =>
  settingGroups(daemon)
    .flatMap(({ settings }) => settings)
    .filter(({ secret }) => secret)
    .flatMap(({ name, key = name }) => {
      const path = fileOf(name, key)?.trim()
      return path ? [{ name: name.toLowerCase(), path, isSealed: path.endsWith('.cred') }] : []
    })
