// Where a relay goes (the machine's places for root, a folder, or beside a file that was named), and what is there. Looking changes nothing.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import {
  type Environment,
  layeredEnvironment,
  loadRelayConfig,
  openEnvironment,
  settingGroups,
} from '../../config/index.js'
import { Secret } from '../../lib/secret.js'
import { defaultPrefix, relayConfigFiles, relayPlaces } from '../../system/index.js'
import { presentAnswers } from '../answers.js'
import type { Texts } from '../question.js'
import type { SetupSources, SetupTarget } from '../survey.js'
import { RELAY_QUESTIONS, type RelayAnswers } from './questions.js'

export interface RelaySurvey {
  readonly hasFile: boolean
  /** The folder of the file: whether it is there, and whether the unit's user may pass through it. */
  readonly hasFolder: boolean
  readonly isFolderClosed: boolean
  /** What the file sets, by key; of a secret that lies in a file, the path by the key with `_file` behind it. */
  readonly inForce: Texts
  /** Secrets that stand in the file itself, by key. */
  readonly inline: ReadonlyMap<string, Secret>
  /** The present relay as answers: what a reconfiguration starts with. */
  readonly present: RelayAnswers
}

/** Of one TOML file, without the variables of this process. Throws CONFIGURATION for one that the relay would not start with. */
export function surveyRelay(path: string): RelaySurvey {
  const folder = dirname(path)
  const hasFolder = existsSync(folder)
  const isFolderClosed = hasFolder && (statSync(folder).mode & 0o001) === 0
  if (!existsSync(path))
    return { hasFile: false, hasFolder, isFolderClosed, inForce: new Map(), inline: new Map(), present: {} }
  const sources = { file: { path, text: readFileSync(path, 'utf8') }, environment: openEnvironment({ variables: {} }) }
  loadRelayConfig(sources) // what is wrong with it is said before anybody answers
  const { inForce, inline } = contentOf(layeredEnvironment(sources))
  return {
    hasFile: true,
    hasFolder,
    isFolderClosed,
    inForce,
    inline,
    present: presentAnswers(RELAY_QUESTIONS, inForce),
  }
}

function contentOf(environment: Environment) {
  const inForce = new Map<string, string>()
  const inline = new Map<string, Secret>()
  for (const { name, key = '', secret } of settingGroups('relay').flatMap(({ settings }) => settings)) {
    const [text, file] = [environment.find(name)?.text, secret ? environment.find(`${name}_FILE`)?.text : undefined]
    if (file !== undefined) inForce.set(`${key}_file`, file)
    else if (secret && text !== undefined) inline.set(key, new Secret(text))
    else if (text !== undefined) inForce.set(key, text)
  }
  return { inForce, inline }
}

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
