// Files that the settings name for their secrets.
import type { Environment, SettingGroup } from '../config/index.js'
import type { NamedSecret } from './service-check.js'

export const namedSecrets = (
  environment: Pick<Environment, 'find'>,
  groups: readonly SettingGroup[],
): readonly NamedSecret[] =>
  groups
    .flatMap(({ settings }) => settings.filter(({ secret }) => secret))
    .flatMap(({ name }) => {
      const path = environment.find(`${name}_FILE`)?.text.trim()
      return path ? [{ name, path }] : []
    })
