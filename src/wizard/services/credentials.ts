// Secrets in files of root: systemd hands them over under names that the daemon looks for.
import type { SettingGroup } from '../../config/index.js'

export interface Credential {
  /** The setting in lower case. */
  readonly name: string
  readonly path: string
  /** Made by systemd-creds for this machine. */
  readonly isSealed: boolean
}

/** Of the secret settings in `groups` those that `fileOf` knows the file of, by the setting's variable. */
export const credentialsOf = (
  groups: readonly SettingGroup[],
  fileOf: (variable: string) => string | undefined,
): readonly Credential[] =>
  groups
    .flatMap(({ settings }) => settings)
    .filter(({ secret }) => secret)
    .flatMap(({ name }) => {
      const path = fileOf(name)
      return path === undefined || path.trim() === '' ? [] : [credential(name, path.trim())]
    })

const credential = (variable: string, path: string): Credential => ({
  name: variable.toLowerCase(),
  path,
  isSealed: path.endsWith('.cred'),
})
