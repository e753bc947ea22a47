// Where the authority's files go (specification: names, 11): the machine's places, a folder, or beside a named env file.
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { type Environment, NAMEAUTH_FILE_VARIABLES } from '../../config/index.js'
import { nameauthEnvFiles, nameauthPlaces } from '../../system/index.js'
import type { SetupTarget } from '../survey.js'

/** The env file that the environment names. */
const namedEnvFile = (surroundings: Environment): string | undefined =>
  NAMEAUTH_FILE_VARIABLES.map((name) => surroundings.find(name)?.text).find((path) => path !== undefined && path !== '')

/** Files that may hold the settings, best first. */
export const candidatesIn = (surroundings: Environment): readonly string[] => {
  const named = namedEnvFile(surroundings)
  return [...(named === undefined ? [] : [resolve(named)]), ...nameauthEnvFiles()]
}

/** Whether files can be made there, and the folder itself if it is missing. */
export function isWritable(folder: string): boolean {
  if (!existsSync(folder)) return dirname(folder) !== folder && isWritable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const prefixTarget = (prefix: string): SetupTarget => ({
  places: nameauthPlaces(prefix),
  machineWide: false,
  isService: true,
})

/** The file that the environment names, else the machine's places, else this folder. */
export function usualTarget(surroundings: Environment, canWrite = isWritable): SetupTarget {
  const { envFile } = nameauthPlaces()
  const fallback = canWrite(dirname(envFile)) ? envFile : '.env'
  return targetOf(namedEnvFile(surroundings) ?? fallback, canWrite)
}

/** What belongs to an env file: everything of the machine beside the conventional one, else secrets and perhaps data next to it. */
export function targetOf(envFile: string, canWrite = isWritable): SetupTarget {
  const usual = nameauthPlaces()
  const path = resolve(envFile)
  if (path === usual.envFile) return { places: usual, machineWide: true, isService: true }
  const own = join(dirname(path), 'nameauth')
  const dataDir = canWrite(usual.dataDir) ? usual.dataDir : join(own, 'data')
  const mine = { envFile: path, secretsDir: join(own, 'secrets'), dataDir, dbPath: join(dataDir, 'names.db') }
  return { places: { ...usual, ...mine }, machineWide: false, isService: false }
}
