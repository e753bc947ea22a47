// Settings of the till: from an Environment to one frozen value, or one line with everything that is wrong.
import type { Secret } from '../lib/secret.js'
import type { Environment } from './env.js'
import { configurationError } from './errors.js'
import { PAY_REMARKS, PAY_RULES } from './pay-rules.js'
import { PAY_SETTINGS, type PaySettings } from './pay-settings.js'
import { type Resolution, resolveSetting } from './resolve.js'
import type { Setting } from './setting.js'

type ValueOf<S> = S extends Setting<infer T> ? T : never
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** One member per setting, as read. */
export type PayValues = { readonly [K in keyof PaySettings]: ValueOf<PaySettings[K]> }

/** What the daemon is composed from: the values, with defaults that depend on others filled in. */
export interface PayConfig extends Omit<PayValues, 'publicUrl' | 'tls' | 'tlsCert' | 'tlsKey' | 'relays'> {
  /** Without trailing slash, mount path included. */
  readonly publicUrl: string
  /** PEM paths, or undefined behind a proxy. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  /** The resolved set: own relay first in mode `bundled`. */
  readonly relays: readonly string[]
  /** Present when both halves are set. */
  readonly webhook: { readonly url: string; readonly secret: Secret; readonly compat: boolean } | undefined
  /** Things to tell the operator at start; no secret values. */
  readonly notices: readonly string[]
}

export interface LoadOptions {
  /** Only `grinpay sandbox` may run on a made-up chain. */
  readonly allowSandbox?: boolean
}

/** Reads, checks and freezes. Throws CONFIGURATION with every problem in one line; secrets are never quoted. */
export function loadPayConfig(environment: Environment, { allowSandbox = false }: LoadOptions = {}): PayConfig {
  const { values, problems, notices } = readPayValues(environment)
  if (values.chain === 'sandbox' && !allowSandbox)
    problems.push('PAY_CHAIN=sandbox is for "grinpay sandbox" only; use mainnet, testnet or usernet')
  if (problems.length > 0 || !isComplete(values)) throw configurationError(problems)
  return Object.freeze(configOf(values, notices))
}

interface Reading {
  readonly values: Partial<PayValues>
  readonly problems: string[]
  readonly notices: string[]
}

/** Reads every setting and applies the rules; for `config check`, which shows all of it. */
export function readPayValues(environment: Environment): Reading {
  const values: Partial<Mutable<PayValues>> = {}
  const problems: string[] = []
  const notices: string[] = []
  for (const key of keysOf(PAY_SETTINGS)) {
    const setting: Setting<unknown> = PAY_SETTINGS[key]
    const resolution = resolveSetting(environment, setting)
    const outcome = readOne(setting, resolution)
    if ('problem' in outcome) problems.push(outcome.problem)
    else Object.assign(values, { [key]: outcome.value })
    notices.push(...noticesOf(setting, resolution, environment))
  }
  problems.push(...PAY_RULES.filter(({ breaks }) => breaks(values)).map(({ refusal }) => refusal))
  if (values.chain !== undefined && values.chain !== 'mainnet' && values.chain !== 'sandbox')
    if (resolveSetting(environment, PAY_SETTINGS.nodeUrls).outcome === 'unset')
      problems.push(`PAY_CHAIN=${values.chain} needs PAY_NODE_URL`)
  notices.push(...PAY_REMARKS.filter(({ breaks }) => breaks(values)).map(({ refusal }) => refusal))
  notices.push(...strangersOf(environment))
  return { values, problems, notices }
}

/** A user name and password in an address; no setting takes them, but somebody may try. */
const CREDENTIALS = /\/\/[^/\s]*@/g

const keysOf = <T extends object>(table: T): readonly (keyof T)[] => Object.keys(table) as (keyof T)[]

type Outcome = { readonly value: unknown } | { readonly problem: string }

function readOne(setting: Setting<unknown>, resolution: Resolution): Outcome {
  if (resolution.outcome === 'problem') return { problem: resolution.problem }
  const text = resolution.outcome === 'found' ? resolution.text : undefined
  const read = setting.read(text)
  if (read.success) return { value: read.data }
  const reason = read.error.issues[0]?.message ?? 'is not valid'
  return {
    problem: `${setting.name} ${reason}${setting.secret ? '' : ` (got "${text?.replace(CREDENTIALS, '//…@')}")`}`,
  }
}

function noticesOf(setting: Setting<unknown>, resolution: Resolution, environment: Environment): readonly string[] {
  if (resolution.outcome !== 'found') return []
  const { name, initial, later, money } = setting
  const inline = resolution.origin === 'environment' || resolution.origin === environment.envFile
  return [
    ...(resolution.alias ? [`${resolution.alias} is read as ${name}; please rename it`] : []),
    ...(money && inline ? [`${name} is set inline; prefer ${name}_FILE or a systemd credential`] : []),
    ...(later && resolution.text !== initial ? [`${name} has no effect in this version`] : []),
  ]
}

/** PAY_ names nobody reads are mostly typing errors. */
function strangersOf(environment: Environment): readonly string[] {
  const known = new Set(Object.values(PAY_SETTINGS).flatMap(({ name }) => [name, `${name}_FILE`]))
  return environment
    .names()
    .filter((name) => name.startsWith('PAY_') && !known.has(name))
    .map((name) => `${name} is not a setting of grinpay and is ignored`)
}

const isComplete = (values: Partial<PayValues>): values is PayValues =>
  keysOf(PAY_SETTINGS).every((key) => key in values)

function configOf(values: PayValues, notices: readonly string[]): PayConfig {
  const { tls, tlsCert, tlsKey, webhookUrl: url, webhookSecret: secret } = values
  return {
    ...values,
    publicUrl: values.publicUrl ?? localUrl(values),
    tls: tls && tlsCert !== undefined && tlsKey !== undefined ? { cert: tlsCert, key: tlsKey } : undefined,
    relays: relaySet(values),
    webhook: url !== undefined && secret !== undefined ? { url, secret, compat: values.webhookCompat } : undefined,
    notices,
  }
}

/** The resolved set, in order: own relay first in mode `bundled` (specification: invoicing, 9). */
export const relaySet = (values: Pick<PayValues, 'relayMode' | 'bundledRelayUrl' | 'relays'>): readonly string[] =>
  values.relayMode === 'bundled' ? [...new Set([values.bundledRelayUrl, ...values.relays])] : values.relays

const localUrl = ({ bind: { host, port }, tls }: PayValues): string =>
  `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
