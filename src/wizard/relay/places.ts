// Where the relay's files go: the machine's places for root, a folder, or beside a file that was named.
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defaultPrefix, relayConfigFiles, relayPlaces } from '../../system/index.js'
import type { SetupSources, SetupTarget } from '../survey.js'

/** The folder that was named, else the file of RELAY_CONFIG_FILE, else the settings that are there, else the usual places. */
export function relayTarget({ prefix, surroundings }: SetupSources): SetupTarget {
  if (prefix !== undefined) return { places: relayPlaces(prefix), machineWide: false, isService: true }
  const named = surroundings.find('RELAY_CONFIG_FILE')?.text || undefined
  const present = named ?? relayConfigFiles().find((path) => existsSync(path))
  const own = defaultPrefix()
  const usual = { places: relayPlaces(own), machineWide: own === undefined, isService: true }
  return present === undefined || resolve(present) === usual.places.envFile ? usual : beside(resolve(present), usual)
}

/** Secrets next to the file, data where it always is. */
const beside = (envFile: string, { places }: SetupTarget): SetupTarget => ({
  places: { ...places, envFile, secretsDir: join(dirname(envFile), 'relay', 'secrets') },
  machineWide: false,
  isService: false,
})
