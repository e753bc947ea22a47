// What `config show` and `config check` tell.
import { type EffectiveSetting, effectiveSettings, loadPayConfig, readPayValues } from '../config/index.js'
import { daemonEnvironment } from './api-session.js'

/** Every setting with its value and where it comes from; secrets read `set` or `unset`. */
export const shownSettings = (envFile: string | undefined): readonly EffectiveSetting[] =>
  effectiveSettings(daemonEnvironment(envFile))

/** Throws CONFIGURATION with everything that is wrong; answers what is merely worth a word. */
export function checkSettings(envFile: string | undefined): {
  readonly file: string | null
  readonly notices: readonly string[]
} {
  const environment = daemonEnvironment(envFile)
  loadPayConfig(environment)
  return { file: environment.envFile ?? null, notices: readPayValues(environment).notices }
}
