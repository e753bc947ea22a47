// The content of relay.toml after setup: what is there, overlaid with the answers.

import { join } from 'node:path'
import type { Secret } from '../../lib/secret.js'
import { parseUrl } from '../../lib/url.js'
import { profileChanges } from './profile.js'
import { FOREVER, isUpstream, NO_KEYS, type RelayAnswers } from './questions.js'
import type { RelaySurvey } from './survey.js'

export interface PlannedRelay {
  /** By key; of a secret the path of its file, by the key with `_file` behind it. */
  readonly values: ReadonlyMap<string, string>
  /** Files for secrets that stood among the settings until now. */
  readonly moved: readonly { readonly key: string; readonly path: string; readonly secret: Secret }[]
}

type Set = (key: string, value: string | undefined) => void

/** Present settings first: whatever the operator added by hand survives a reconfiguration. Secrets get files of their own. */
export function plannedRelay(
  { inForce, inline }: RelaySurvey,
  answers: RelayAnswers,
  secretsDir: string,
): PlannedRelay {
  const values = new Map(inForce)
  const set: Set = (key, value) => void (value === undefined ? values.delete(key) : values.set(key, value))
  const moved = [...inline].map(([key, secret]) => ({ key, secret, path: join(secretsDir, key.replace('.', '_')) }))
  for (const { key, path } of moved) set(`${key}_file`, path)
  set('info.relay_url', answers.relay_url)
  for (const key of ['name', 'description', 'contact'] as const) set(`info.${key}`, answers[key])
  setPlace(set, answers)
  setAuthority(values, set, answers)
  for (const [key, value] of profileChanges(inForce, answers)) set(key, value)
  setWraps(values, set, answers)
  set('retention.persist_days', unless(FOREVER, answers.keep_days))
  set('management.admins', unless(NO_KEYS, answers.admins))
  return { values, moved }
}

const unless = (word: string, text: string | undefined): string | undefined => (text === word ? undefined : text)

function setPlace(set: Set, { bind = '', data_dir: folder }: RelayAnswers): void {
  const [, host, port] = /^\[?(.*?)\]?:(\d+)$/.exec(bind) ?? []
  set('network.address', host)
  set('network.port', port)
  set('database.data_directory', folder)
}

/** What is not said by the answers, such as reserved names or rates, stays for the day it counts again. */
function setAuthority(values: ReadonlyMap<string, string>, set: Set, answers: RelayAnswers): void {
  const { authority, domain, authority_url: url } = answers
  const isInProcess = authority === 'in-process'
  set('authority.mode', isUpstream(answers) ? 'upstream' : undefined)
  set('authority.colocated', authority === 'elsewhere' ? 'false' : undefined)
  if (isUpstream(answers)) set('authority.upstream', url)
  set('name_authority.enabled', isInProcess ? 'true' : undefined)
  if (!isInProcess) return
  set('name_authority.domain', domain)
  set('name_authority.base_url', baseUrlOf(values.get('name_authority.base_url'), domain))
}

/** A present one may have a port; its host must be the domain. */
function baseUrlOf(present: string | undefined, domain = ''): string {
  return present !== undefined && parseUrl(present)?.hostname === domain ? present : `https://${domain}`
}

/** Who switches this off does not want clients asked for other reasons either, unless the file says so. */
function setWraps(values: ReadonlyMap<string, string>, set: Set, { private_wraps: wraps }: RelayAnswers): void {
  set('authorization.gift_wraps_to_recipient', wraps === 'yes' ? 'true' : undefined)
  if (wraps === 'yes' && values.get('authorization.nip42_auth') === 'false') set('authorization.nip42_auth', undefined)
}
