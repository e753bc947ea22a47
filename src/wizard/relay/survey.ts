// What is already there. Looking changes nothing.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Environment,
  layeredEnvironment,
  loadRelayConfig,
  openEnvironment,
  readNameauthValues,
  settingGroups,
} from '../../config/index.js'
import { hostPort, localHostPort } from '../../lib/host-port.js'
import { Secret } from '../../lib/secret.js'
import { nameauthEnvFiles } from '../../system/index.js'
import { presentProfile } from './profile.js'
import { FOREVER, NO_KEYS, type RelayAnswers, type RelayKey } from './questions.js'

export interface RelaySurvey {
  readonly hasFile: boolean
  /** The folder of the file: whether it is there, and whether the unit's user may pass through it. */
  readonly hasFolder: boolean
  readonly isFolderClosed: boolean
  /** What the file sets, by key; of a secret that lies in a file, the path by the key with `_file` behind it. */
  readonly inForce: ReadonlyMap<string, string>
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
  return { hasFile: true, hasFolder, isFolderClosed, inForce, inline, present: presentAnswers(inForce) }
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

/** Answers that are a setting's text as it stands. */
const SETTING_OF: readonly (readonly [RelayKey, string])[] = [
  ['relay_url', 'info.relay_url'],
  ['name', 'info.name'],
  ['description', 'info.description'],
  ['contact', 'info.contact'],
  ['data_dir', 'database.data_directory'],
  ['domain', 'name_authority.domain'],
  ['authority_url', 'authority.upstream'],
]

function presentAnswers(inForce: ReadonlyMap<string, string>): RelayAnswers {
  const known = SETTING_OF.flatMap(([key, setting]) => {
    const value = inForce.get(setting)
    return value === undefined || value === '' ? [] : [[key, value] as const]
  })
  const [host = '127.0.0.1', port = '7777'] = [inForce.get('network.address'), inForce.get('network.port')]
  return {
    ...Object.fromEntries(known),
    bind: hostPort(host, Number(port)),
    authority: authorityIn(inForce),
    ...presentProfile(inForce),
    private_wraps: inForce.get('authorization.gift_wraps_to_recipient') === 'true' ? 'yes' : 'no',
    keep_days: inForce.get('retention.persist_days') ?? FOREVER,
    admins: inForce.get('management.admins') || NO_KEYS,
  }
}

function authorityIn(inForce: ReadonlyMap<string, string>): string {
  const mode =
    inForce.get('authority.mode') ?? (inForce.get('name_authority.enabled') === 'true' ? 'in-process' : 'off')
  if (mode === 'off' || mode === 'in-process') return mode === 'off' ? 'none' : mode
  return inForce.get('authority.colocated') === 'false' ? 'elsewhere' : 'beside'
}

/** Where a name authority that is set up on this machine listens; undefined when there is none. */
export function namesAddress(files: readonly string[] = nameauthEnvFiles()): string | undefined {
  const envFile = files.find((path) => existsSync(path))
  if (envFile === undefined) return undefined
  try {
    const { values } = readNameauthValues(openEnvironment({ envFile, variables: {} }))
    const { domain, bind } = values
    return domain === undefined || bind === undefined ? undefined : `http://${localHostPort(bind.host, bind.port)}`
  } catch {
    return undefined // not for our eyes: then it is as if there were none
  }
}
