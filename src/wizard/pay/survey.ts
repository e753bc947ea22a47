// What is already there. Looking changes nothing.
import { existsSync, readFileSync } from 'node:fs'
import { openEnvironment } from '../../config/index.js'
import { dataFiles, type Places } from '../../system/index.js'
import type { AnswerKey, Answers } from './questions.js'
import { type PasswordKeeping, passwordFiles } from './unit.js'

export interface Survey {
  readonly hasEnvFile: boolean
  /** Settings of the present env file, as text. */
  readonly inForce: ReadonlyMap<string, string>
  readonly hasWallet: boolean
  readonly hasIdentity: boolean
  readonly keeping: PasswordKeeping | undefined
  /** The present till as answers: what a reconfiguration starts with. */
  readonly present: Answers
}

/** Which setting holds which answer. */
const SETTING_OF: readonly (readonly [AnswerKey, string])[] = [
  ['public_url', 'PAY_PUBLIC_URL'],
  ['webhook_url', 'PAY_WEBHOOK_URL'],
  ['bind', 'PAY_BIND'],
  ['chain', 'PAY_CHAIN'],
  ['node_url', 'PAY_NODE_URL'],
  ['relays', 'PAY_RELAYS'],
  ['currencies', 'PAY_RATE_CURRENCIES'],
]

/** A known shop is kept by its webhook address alone. */
export function presentAnswers(inForce: ReadonlyMap<string, string>, keeping: PasswordKeeping | undefined): Answers {
  const known = SETTING_OF.flatMap(([key, name]) => {
    const value = inForce.get(name)
    return value === undefined || value === '' ? [] : [[key, value] as const]
  })
  return {
    ...Object.fromEntries(known),
    // Beside an own relay there may be no other.
    ...(inForce.get('PAY_RELAY_MODE') === 'bundled' ? { relays: inForce.get('PAY_RELAYS') ?? '' } : {}),
    ...(inForce.get('PAY_WEBHOOK_URL') ? { shop: 'custom' } : {}),
    ...(inForce.has('PAY_GRIN1_RAIL') ? { grin1: inForce.get('PAY_GRIN1_RAIL') === 'on' ? 'yes' : 'no' } : {}),
    ...(keeping === undefined ? {} : { restart: keeping === 'manual' ? 'manual' : 'unattended' }),
  }
}

const NONE: ReadonlyMap<string, string> = new Map()

export function survey(places: Places): Survey {
  const { seed, identity } = dataFiles(places.dataDir)
  const hasEnvFile = existsSync(places.envFile)
  const [inForce, keeping] = [hasEnvFile ? settingsIn(places.envFile) : NONE, keepingIn(places)]
  return {
    hasEnvFile,
    inForce,
    hasWallet: existsSync(seed),
    hasIdentity: existsSync(identity),
    keeping,
    present: presentAnswers(inForce, keeping),
  }
}

function settingsIn(envFile: string): ReadonlyMap<string, string> {
  const environment = openEnvironment({ envFile, variables: {} })
  return new Map(environment.names().map((name) => [name, environment.find(name)?.text ?? '']))
}

export function keepingIn(places: Pick<Places, 'secretsDir' | 'dropInDir'>): PasswordKeeping | undefined {
  const { credential, file, dropIn } = passwordFiles(places)
  if (existsSync(credential)) return 'credential'
  if (existsSync(file)) return 'file'
  return existsSync(dropIn) && readFileSync(dropIn, 'utf8').includes('/run/grinpay/') ? 'manual' : undefined
}
