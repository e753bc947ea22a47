// The env file's content after setup (specification: names, 11, "Written keys"): what is there, overlaid with the answers.

import { basename, join } from 'node:path'
import { aliasesOf, settingGroups } from '../../config/index.js'
import { parseUrl } from '../../lib/url.js'
import type { Places } from '../../system/index.js'
import { isPaid, type NameauthAnswers, sellsOn } from './questions.js'
import { SECRET_SETTINGS, type SecretKey, secretFiles } from './secrets.js'
import type { NameauthSurvey } from './survey.js'

export interface SettingsParts {
  readonly places: Places
  readonly survey: NameauthSurvey
  readonly answers: NameauthAnswers
  /** Secrets that are newly said. */
  readonly said: ReadonlySet<SecretKey>
}

type Set = (name: string, value: string | undefined) => void

/** What the originals call it: our own name takes its place. */
const oldNames = (name: string): readonly string[] =>
  settingGroups('nameauth').flatMap(({ settings }) => settings.filter((each) => each.name === name).flatMap(aliasesOf))

/** Present settings first: whatever the operator added by hand survives a reconfiguration. */
export function nameauthSettings(parts: SettingsParts): ReadonlyMap<string, string> {
  const { survey, answers } = parts
  const settings = new Map(survey.inForce)
  const set: Set = (name, value) => {
    for (const old of oldNames(name)) settings.delete(old)
    if (value === undefined) settings.delete(name)
    else settings.set(name, value)
  }
  set('NAMEAUTH_DOMAIN', answers.domain)
  set('NAMEAUTH_BASE_URL', baseUrlOf(settings.get('NAMEAUTH_BASE_URL'), answers.domain))
  set('NAMEAUTH_RELAYS', answers.relays)
  set('NAMEAUTH_NAMES_BIND', answers.bind)
  setDatabase(settings, set, answers.data_dir)
  setSale(set, answers)
  setSecrets(settings, set, parts)
  set('NAMEAUTH_TRANSFERS', sellsOn(answers) ? 'true' : undefined)
  set('NAMEAUTH_GRIN_NODE_URL', sellsOn(answers) ? answers.node_url : undefined)
  return settings
}

/** A present one may have a port or a path; its host must be the domain. */
function baseUrlOf(present: string | undefined, domain = ''): string {
  const usual = `https://${domain}`
  return present !== undefined && parseUrl(present)?.hostname === domain ? present : usual
}

/** The file keeps its name. */
function setDatabase(settings: ReadonlyMap<string, string>, set: Set, folder = ''): void {
  const present = settings.get('NAMEAUTH_NAMES_DB')
  set('NAMEAUTH_NAMES_DB', join(folder, present === undefined ? 'names.db' : basename(present)))
  if (settings.has('NAMEAUTH_DATA_DIR')) set('NAMEAUTH_DATA_DIR', folder)
}

/** The price of the chosen mode only. */
function setSale(set: Set, answers: NameauthAnswers): void {
  const { pay_mode: mode, price_grin: price } = answers
  set('NAMEAUTH_PAY_MODE', mode)
  set('NAMEAUTH_NAME_PRICE_GRIN', mode === 'name' ? price : undefined)
  set('NAMEAUTH_WRITE_PRICE_GRIN', mode === 'write' ? price : undefined)
  set('NAMEAUTH_PAY_URL', isPaid(answers) ? answers.pay_url : undefined)
}

/** Only paths of files: the secrets themselves are never written here. The token's file is named even before it exists. */
function setSecrets(settings: Map<string, string>, set: Set, { places, survey, answers, said }: SettingsParts): void {
  for (const [key, name] of SECRET_SETTINGS) {
    const isThere = survey.kept.has(key) || settings.has(`${name}_FILE`)
    if (!isPaid(answers)) for (const each of [name, `${name}_FILE`]) set(each, undefined)
    else if (said.has(key) || (key === 'pay_token_file' && !isThere)) {
      set(name, undefined)
      settings.set(`${name}_FILE`, secretFiles(places)[key])
    }
  }
}
