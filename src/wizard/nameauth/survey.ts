// What is already there. Looking changes nothing.
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { openEnvironment, readNameauthValues, readPayValues, statedSettings } from '../../config/index.js'
import { localHostPort } from '../../lib/host-port.js'
import { usualEnvFiles } from '../../system/index.js'
import type { NameauthAnswers, NameauthKey } from './questions.js'
import { SECRET_SETTINGS, type SecretKey } from './secrets.js'

export interface NameauthSurvey {
  /** The env file exists. */
  readonly hasEnvFile: boolean
  /** Its folder exists. */
  readonly hasFolder: boolean
  /** Its settings, as text. */
  readonly inForce: ReadonlyMap<string, string>
  /** The domain it sets; undefined: none. */
  readonly domain: string | undefined
  /** The present authority as answers: what a reconfiguration starts with. */
  readonly present: NameauthAnswers
  /** Secrets that are there already, one way or another. */
  readonly kept: ReadonlySet<SecretKey>
}

/** Answers that are a setting's text as it stands. */
const SETTING_OF: readonly (readonly [NameauthKey, string])[] = [
  ['domain', 'NAMEAUTH_DOMAIN'],
  ['bind', 'NAMEAUTH_NAMES_BIND'],
  ['data_dir', 'NAMEAUTH_DATA_DIR'],
  ['pay_mode', 'NAMEAUTH_PAY_MODE'],
  ['pay_url', 'NAMEAUTH_PAY_URL'],
  ['node_url', 'NAMEAUTH_GRIN_NODE_URL'],
]

/** Of one env file, without the variables of this process. Throws ENV_FILE_UNREADABLE. */
export function surveyNameauth(envFile: string): NameauthSurvey {
  const hasEnvFile = existsSync(envFile)
  const environment = openEnvironment({ envFile: hasEnvFile ? envFile : undefined, variables: {} })
  const set = statedSettings(environment, 'nameauth')
  const texts = new Map(set.filter(({ value }) => value !== 'invalid').map(({ name, value }) => [name, value]))
  return {
    hasEnvFile,
    hasFolder: existsSync(dirname(envFile)),
    inForce: new Map(environment.names().map((name) => [name, environment.find(name)?.text ?? ''])),
    domain: texts.get('NAMEAUTH_DOMAIN'),
    present: presentAnswers(texts, readNameauthValues(environment).values.transfersOn === true),
    kept: keptSecrets(texts),
  }
}

function presentAnswers(texts: ReadonlyMap<string, string>, sells: boolean): NameauthAnswers {
  const known = SETTING_OF.flatMap(([key, name]) => {
    const value = texts.get(name)
    return value === undefined ? [] : [[key, value] as const]
  })
  const price = texts.get(`NAMEAUTH_${texts.get('NAMEAUTH_PAY_MODE')?.toUpperCase()}_PRICE_GRIN`)
  const database = texts.get('NAMEAUTH_NAMES_DB')
  return {
    ...Object.fromEntries(known),
    ...relaysOf(texts),
    ...(database === undefined ? {} : { data_dir: dirname(database) }),
    ...(price === undefined ? {} : { price_grin: price }),
    ...(sells ? { transfers: 'yes' } : {}),
  }
}

/** Relays that only follow from the domain go with it. */
function relaysOf(texts: ReadonlyMap<string, string>): NameauthAnswers {
  const relays = texts.get('NAMEAUTH_RELAYS')
  return relays === undefined || relays === `wss://${texts.get('NAMEAUTH_DOMAIN')}` ? {} : { relays }
}

const keptSecrets = (texts: ReadonlyMap<string, string>): ReadonlySet<SecretKey> =>
  new Set(SECRET_SETTINGS.flatMap(([key, name]) => (texts.has(name) ? [key] : [])))

/** The usual address of the originals, unless a till is set up on this machine. */
export function tillAddress(files: readonly string[] = usualEnvFiles()): string {
  const envFile = files.find((path) => existsSync(path))
  try {
    const { bind } = envFile === undefined ? {} : readPayValues(openEnvironment({ envFile, variables: {} })).values
    if (bind !== undefined) return `http://${localHostPort(bind.host, bind.port)}`
  } catch {
    // not for our eyes: then it is as if there were none
  }
  return 'http://127.0.0.1:8192'
}
