// Which till a command talks to, and with which token. Tokens come from files only: arguments are public.
import { existsSync } from 'node:fs'
import type { InvoicingClient } from '../client/index.js'
import { type Environment, openEnvironment, type PayValues, readPayValues } from '../config/index.js'
import { localHostPort } from '../lib/host-port.js'
import { isPrivateHost } from '../lib/private-host.js'
import type { Secret } from '../lib/secret.js'
import { presentable } from '../lib/secret-lines.js'
import { usualEnvFiles } from '../system/index.js'
import { notConfigured, usage } from './errors.js'
import { readSecretFile } from './secret-file.js'

export interface SessionFlags {
  readonly url?: string | undefined
  readonly 'token-file'?: string | undefined
  readonly 'env-file'?: string | undefined
}

/** Real variables over the named env file, or over the first usual one that exists. Throws ENV_FILE_UNREADABLE. */
export function daemonEnvironment(envFile?: string, usual: readonly string[] = usualEnvFiles()): Environment {
  const named = envFile ?? openEnvironment().find('GRINPAY_ENV_FILE')?.text
  const file = named ?? usual.find((path) => existsSync(path))
  return openEnvironment({ envFile: file })
}

interface Target {
  readonly baseUrl: string
  readonly apiToken: Secret | undefined
  readonly adminToken: Secret | undefined
}

/** Flags first, then GRINPAY_URL and GRINPAY_TOKEN_FILE, then the settings of the daemon on this machine. */
export async function openSession(flags: SessionFlags): Promise<InvoicingClient> {
  const { createInvoicingClient } = await import('../client/index.js')
  return createInvoicingClient(targetOf(flags, openEnvironment()))
}

/** Throws NOT_CONFIGURED, TOKEN_FILE_UNREADABLE, USAGE. */
function targetOf(flags: SessionFlags, surroundings: Environment): Target {
  const url = flags.url ?? surroundings.find('GRINPAY_URL')?.text
  const tokenFile = flags['token-file'] ?? surroundings.find('GRINPAY_TOKEN_FILE')?.text
  const token = tokenFile === undefined ? undefined : readSecretFile(tokenFile)
  // Our own tokens never travel to an address that somebody typed.
  if (url !== undefined) return { baseUrl: checkedUrl(url, token !== undefined), apiToken: token, adminToken: token }
  const values = settingsOf(flags['env-file'])
  return {
    baseUrl: localAddress(values),
    apiToken: token ?? presentable(values.apiTokens),
    adminToken: token ?? presentable(values.adminTokens),
  }
}

/** The settings of the till on this machine; undefined when the command was sent to another one. */
export const localSettings = (
  { url, 'env-file': envFile }: SessionFlags,
  surroundings: Environment = openEnvironment(),
): Environment | undefined =>
  url === undefined && surroundings.find('GRINPAY_URL') === undefined ? daemonEnvironment(envFile) : undefined

function settingsOf(envFile: string | undefined): Partial<PayValues> {
  const environment = daemonEnvironment(envFile)
  const isSetUp = environment.names().some((name) => /^(PAY|GP)_/.test(name))
  if (!isSetUp) throw notConfigured(environment.envFile ?? usualEnvFiles().join(', '))
  return readPayValues(environment).values
}

/** Where the till of these settings answers on this machine. */
export const localAddressOf = (environment: Environment): string => localAddress(readPayValues(environment).values)

/** The daemon's own socket; with TLS its public name, because that is what the certificate says. */
function localAddress({ bind, tls, publicUrl }: Partial<PayValues>): string {
  if (tls && publicUrl !== undefined) return publicUrl
  const { host, port } = bind ?? { host: '127.0.0.1', port: 8080 }
  return `${tls ? 'https' : 'http'}://${localHostPort(host, port)}`
}

function checkedUrl(text: string, withToken: boolean): string {
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (!parsed || !/^https?:$/.test(parsed.protocol)) throw usage(`not an http(s) address: "${text}"`)
  if (parsed.username !== '' || parsed.password !== '') throw usage('--url must not contain a user name or password')
  if (withToken && parsed.protocol === 'http:' && !isPrivateHost(parsed.hostname))
    throw usage('plain http to a public host would show the token to everybody on the way; use https')
  return text
}
