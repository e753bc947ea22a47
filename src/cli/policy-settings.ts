// Where `relay policy` finds its settings: the environment of the relay that starts it, and a file behind that.
import { loadPolicyProgramConfig, openEnvironment, type PolicyProgramConfig } from '../config/index.js'

/** Throws CONFIGURATION, ENV_FILE_UNREADABLE: a program that is not sure what it is to allow does not run. */
export function loadPolicySettings(named: string | undefined): PolicyProgramConfig {
  const own = openEnvironment()
  const envFile = [named, own.find('RELAY_ENV_FILE')?.text, own.find('FLOONET_ENV_FILE')?.text].find(
    (path) => path !== undefined && path.trim() !== '',
  )
  return loadPolicyProgramConfig(envFile === undefined ? own : openEnvironment({ envFile, form: 'plain' }))
}
