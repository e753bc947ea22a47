// The env file's content after setup: what is there, overlaid with the answers.
import type { Secret } from '../../lib/secret.js'
import type { Places } from '../../system/index.js'
import type { Program } from '../services/program.js'
import type { Tokens } from './material.js'
import { type Answers, SHOP_PATHS } from './questions.js'
import type { Survey } from './survey.js'
import { type PasswordKeeping, passwordFiles } from './unit.js'

/** Texts that were sealed before planning: they cannot be made without the password. */
interface Sealed {
  readonly seed?: string | undefined
  readonly identity?: string | undefined
  /** The password itself, in the form in which it is kept. */
  readonly password?: Secret | undefined
}

/** What a plan is made from. */
export interface PlanParts {
  readonly places: Places
  /** Whether systemd's own places are used; otherwise everything lies under one prefix. */
  readonly machineWide: boolean
  readonly survey: Survey
  readonly answers: Answers
  readonly tokens: Tokens
  readonly rotateTokens: boolean
  readonly keeping: PasswordKeeping
  readonly sealed: Sealed
  readonly program: Program
  /** systemd holds the port. */
  readonly hasSocket: boolean
  /** The file for new words that no terminal shows. */
  readonly wordsFile?: { readonly path: string; readonly words: Secret } | undefined
}

/** Where Debian's tor listens for controllers without a change of its configuration. */
const TOR_CONTROL = 'unix:/run/tor/control'

/** Present settings first: whatever the operator added by hand survives a reconfiguration. */
export function settingsOf(parts: PlanParts): ReadonlyMap<string, string> {
  const { places, survey, answers, keeping, machineWide } = parts
  const settings = new Map(survey.inForce)
  const keep = (name: string, value: string) => settings.set(name, settings.get(name) ?? value)
  const set = (name: string, value: string | undefined) =>
    value === undefined ? settings.delete(name) : settings.set(name, value)
  set('PAY_BIND', answers.bind)
  set('PAY_PUBLIC_URL', answers.public_url?.replace(/\/+$/, ''))
  set('PAY_CHAIN', answers.chain)
  set('PAY_NODE_URL', answers.node_url)
  set('PAY_RATE_CURRENCIES', answers.currencies)
  // The proxy with the certificate stands on this machine; without its word all customers share one rate limit.
  if (answers.public_url?.startsWith('https://') && isLoopback(answers.bind))
    keep('PAY_TRUSTED_PROXIES', '127.0.0.1,::1')
  keep('PAY_MATCH_MODE', 'derived')
  keep('PAY_RELAY_MODE', 'external')
  set('PAY_RELAYS', answers.relays === '' ? undefined : answers.relays)
  set('PAY_GRIN1_RAIL', takesGrin1(answers) ? 'on' : undefined)
  if (takesGrin1(answers)) keep('PAY_TOR_CONTROL', TOR_CONTROL)
  setTokens(settings, parts)
  keep('PAY_DATA_DIR', places.dataDir)
  keep('PAY_DB_PATH', places.dbPath)
  const namesFile = !machineWide && keeping === 'file'
  set('PAY_WALLET_PASSWORD_FILE', namesFile ? passwordFiles(places).file : undefined)
  return settings
}

export const takesGrin1 = ({ grin1 }: Answers): boolean => grin1 === 'yes'

const isLoopback = (bind = '127.0.0.1:8080'): boolean => /^(127\.|localhost:|\[::1\])/.test(bind)

function setTokens(settings: Map<string, string>, { tokens, rotateTokens, answers }: PlanParts): void {
  const fresh = (name: string, value: string) => {
    if (rotateTokens) settings.delete(`${name}_FILE`)
    const isKept = !rotateTokens && (settings.has(name) || settings.has(`${name}_FILE`))
    if (!isKept) settings.set(name, value)
  }
  fresh('PAY_API_TOKEN', tokens.api)
  fresh('PAY_ADMIN_TOKEN', tokens.admin)
  const url = webhookUrlOf(answers)
  if (url === undefined) settings.delete('PAY_WEBHOOK_URL')
  else settings.set('PAY_WEBHOOK_URL', url)
  fresh('PAY_WEBHOOK_SECRET', tokens.webhook)
}

/** Where events go, from the kind of shop. */
export function webhookUrlOf({ shop = 'none', shop_url, webhook_url }: Answers): string | undefined {
  const path = SHOP_PATHS[shop]
  if (path !== undefined && shop_url !== undefined) return `${shop_url.replace(/\/+$/, '')}${path}`
  return shop === 'custom' ? webhook_url : undefined
}
