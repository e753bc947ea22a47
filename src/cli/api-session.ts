// Which till a command talks to, and with which token. Tokens come from files only: arguments are public.
import { existsSync } from 'node:fs'
import type { InvoicingClient, Transport } from '../client/index.js'
import { type Environment, openEnvironment, type PayValues, readPayValues } from '../config/index.js'
import { isPrivateHost } from '../lib/private-host.js'
import type { Secret } from '../lib/secret.js'
import { presentable } from '../lib/secret-lines.js'
import { localHostPort, parseUrl } from '../lib/url.js'
import { tillProfilesFile, usualEnvFiles } from '../system/index.js'
import { notConfigured, usage } from './errors.js'
import type { NamedProfile } from './profiles.js'
import { readSecretFile } from './values.js'

export interface SessionFlags {
  readonly url?: string | undefined
  readonly 'token-file'?: string | undefined
  readonly settings?: string | undefined
  /** Of a profile. */
  readonly till?: string | undefined
}

/** Real variables over the named env file, or over the first usual one that exists. Throws ENV_FILE_UNREADABLE. */
export function daemonEnvironment(envFile?: string): Environment {
  const named = envFile ?? openEnvironment().find('GRINPAY_ENV_FILE')?.text
  const file = named ?? usualEnvFiles().find((path) => existsSync(path))
  return openEnvironment({ envFile: file })
}

export interface TillTarget {
  readonly baseUrl: string
  readonly apiToken: Secret | undefined
  readonly adminToken: Secret | undefined
}

/** Who is talked to; `chosen`: the till that `till use` chose, since nothing else was said. */
export interface ApiSession {
  readonly client: InvoicingClient
  readonly chosen: string | undefined
  /** Where and with which tokens. */
  readonly target: TillTarget
}

export interface ApiSessionParts {
  readonly environment?: Environment
  /** Goes around every request: shows that it takes its time. */
  readonly around?: <T>(work: () => Promise<T>) => Promise<T>
  /** Gets the chain that an answer names. */
  readonly onChain?: (chain: string) => void
}

const TIMEOUT_MS = 15_000

/**
 * Flags first, then GRINPAY_URL and GRINPAY_TOKEN_FILE, then the till that `till use` chose, then the settings of the daemon on this
 * machine. Throws NOT_CONFIGURED, TOKEN_FILE_UNREADABLE, TILL_PROFILE_UNKNOWN, DOCUMENT_DAMAGED, USAGE.
 */
export async function openApiSession(
  flags: SessionFlags,
  { environment = openEnvironment(), around = (work) => work(), onChain = () => {} }: ApiSessionParts = {},
): Promise<ApiSession> {
  const { createInvoicingClient, httpTransport } = await import('../client/index.js')
  const send = httpTransport(TIMEOUT_MS, undefined, 'the till')
  const transport: Transport = async (request) => {
    const answer = await around(() => send(request))
    if (answer.chain !== undefined) onChain(answer.chain)
    return answer
  }
  const clientOf = (target: TillTarget) => createInvoicingClient({ ...target, transport })
  if (flags.till !== undefined) {
    const { profileOf } = await import('./profiles.js')
    const target = targetOfProfile(await profileOf(flags.till), flags)
    return { client: clientOf(target), chosen: undefined, target }
  }
  const used = await chosenProfile(flags, environment)
  const target = used ? targetOfProfile(used, flags) : targetOf(flags, environment)
  return { client: clientOf(target), chosen: used?.name, target }
}

/** Variables that say which till is meant. */
const TELLING = ['GRINPAY_URL', 'GRINPAY_TOKEN_FILE', 'GRINPAY_ENV_FILE'] as const

/** Only when nothing says which till is meant; the store of profiles is not even loaded while there are none. */
async function chosenProfile(flags: SessionFlags, environment: Environment): Promise<NamedProfile | undefined> {
  const isSaid = flags.url !== undefined || flags.settings !== undefined || flags['token-file'] !== undefined
  if (isSaid || TELLING.some((name) => environment.find(name)) || !existsSync(tillProfilesFile())) return undefined
  return (await import('./profiles.js')).usedProfile()
}

function targetOfProfile(
  { url, token_file, admin_token_file = token_file }: NamedProfile,
  flags: SessionFlags,
): TillTarget {
  const baseUrl = tillUrl(url, true)
  const given = flags['token-file'] === undefined ? undefined : readSecretFile(flags['token-file'])
  const read = (path: string | undefined) => given ?? (path === undefined ? undefined : readSecretFile(path))
  return { baseUrl, apiToken: read(token_file), adminToken: read(admin_token_file) }
}

function targetOf(flags: SessionFlags, environment: Environment): TillTarget {
  const url = flags.url ?? environment.find('GRINPAY_URL')?.text
  if (url === undefined) return localTarget(settingsOf(flags.settings), flags, environment)
  // The local till's tokens never travel to an address from the command line.
  const token = givenToken(flags, environment)
  return { baseUrl: tillUrl(url, token !== undefined), apiToken: token, adminToken: token }
}

/** The till of these settings on this machine; a token file that was named counts before their tokens. Throws TOKEN_FILE_UNREADABLE. */
export function localTarget(
  values: Partial<PayValues>,
  flags: Pick<SessionFlags, 'token-file'>,
  environment: Environment = openEnvironment(),
): TillTarget {
  const token = givenToken(flags, environment)
  return {
    baseUrl: localAddress(values),
    apiToken: token ?? presentable(values.apiTokens),
    adminToken: token ?? presentable(values.adminTokens),
  }
}

function givenToken(flags: Pick<SessionFlags, 'token-file'>, environment: Environment): Secret | undefined {
  const file = flags['token-file'] ?? environment.find('GRINPAY_TOKEN_FILE')?.text
  return file === undefined ? undefined : readSecretFile(file)
}

/** Whether flags or GRINPAY_URL say which till is meant. */
export const isTillNamed = ({ url, till }: SessionFlags): boolean =>
  url !== undefined || till !== undefined || openEnvironment().find('GRINPAY_URL') !== undefined

/** Whether the till that `till use` chose is meant. Throws DOCUMENT_DAMAGED. */
export const isTillChosen = async (flags: SessionFlags) => (await chosenProfile(flags, openEnvironment())) !== undefined

/** The settings of the till on this machine; undefined when the command was sent to another one. */
export async function localSettings(flags: SessionFlags): Promise<Environment | undefined> {
  if (isTillNamed(flags) || (await isTillChosen(flags))) return undefined
  return daemonEnvironment(flags.settings)
}

function settingsOf(envFile: string | undefined): Partial<PayValues> {
  const environment = daemonEnvironment(envFile)
  const isSetUp = environment.names().some((name) => /^(PAY|GP)_/.test(name))
  if (!isSetUp) throw notConfigured(environment.envFile ?? usualEnvFiles().join(', '))
  return readPayValues(environment).values
}

/** The chain of these settings; undefined when it is none. */
export const chainOf = (environment: Environment): string | undefined => readPayValues(environment).values.chain

/** Where the till of these settings answers on this machine. */
export const localTillUrl = (environment: Environment): string => localAddress(readPayValues(environment).values)

/** The daemon's own socket; with TLS its public name, because that is what the certificate says. */
function localAddress({ bind, tls, publicUrl }: Partial<PayValues>): string {
  if (tls && publicUrl !== undefined) return publicUrl
  const { host, port } = bind ?? { host: '127.0.0.1', port: 8080 }
  return `${tls ? 'https' : 'http'}://${localHostPort(host, port)}`
}

/** An http(s) address that a token may travel to. Throws USAGE. */
export function tillUrl(text: string, withToken: boolean): string {
  const parsed = parseUrl(text)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw usage(`not an http(s) address: "${text}"`)
  if (parsed.username !== '' || parsed.password !== '') throw usage('--url must not contain a user name or password')
  if (withToken && parsed.protocol === 'http:' && !isPrivateHost(parsed.hostname))
    throw usage('plain http to a public host would show the token to everybody on the way; use https')
  return text
}
