// Where a request comes from, as far as browsers say: the host it names (DNS rebinding) and the site whose page sent a form.
import type { IncomingHttpHeaders } from 'node:http'

/** The hosts at which a console answers. */
export interface ConsoleHosts {
  /** Names and addresses for plain http, of this machine only: lower case, IPv6 without brackets. */
  readonly names: ReadonlySet<string>
  /** The host of an https address, with its port where it names one; on it cookies are Secure. */
  readonly secureHost: string | undefined
  /** Ports of localhost at which passkeys are made and used; empty: all. */
  readonly passkeyPorts: ReadonlySet<string>
}

const LOCAL = ['localhost', '127.0.0.1', '::1'] as const

/** `publicUrl`: PAY_CONSOLE_URL. With an https one, the address of the listener is not served over plain http. */
export function consoleHosts(
  bind: { readonly host: string; readonly port?: number },
  publicUrl: string | undefined,
): ConsoleHosts {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl)
  const isSecure = url?.protocol === 'https:'
  const names = [...LOCAL, ...(isSecure ? [] : [bind.host]), ...(url && !isSecure ? [url.hostname] : [])]
  const ports = [
    ...(bind.port ? [String(bind.port)] : []),
    ...(bind.port && url && !isSecure ? [url.port || '80'] : []),
  ]
  return {
    names: new Set(names.map(plain)),
    secureHost: isSecure ? url.host : undefined,
    passkeyPorts: new Set(ports),
  }
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i

/** Names of this machine count with every port: a tunnel chooses its own. */
export function isOwnHost(host: string | undefined, hosts: ConsoleHosts): boolean {
  const name = HOST.exec(host ?? '')?.[1]
  return name !== undefined && (isSecureHost(host, hosts) || hosts.names.has(plain(name)))
}

/** Some proxies name the usual port. */
export const isSecureHost = (host: string | undefined, { secureHost }: ConsoleHosts): boolean =>
  secureHost !== undefined && host?.toLowerCase().replace(/:443$/, '') === secureHost

/**
 * A proxy that does not pass the host of its visitors makes them look like this machine: their cookies would not be Secure, and every name
 * would do. One that adds an address header is recognised by it.
 */
export const isHiddenByProxy = ({ host, ...headers }: IncomingHttpHeaders, hosts: ConsoleHosts): boolean =>
  hosts.secureHost !== undefined &&
  !isSecureHost(host, hosts) &&
  ['x-forwarded-for', 'x-real-ip', 'forwarded'].some((name) => headers[name] !== undefined)

/** As the browser sees it. */
export const portOf = (host: string | undefined): string => HOST.exec(host ?? '')?.[2] ?? '80'

/** Whom passkeys are made for: browsers bind them to this host. */
export interface RelyingParty {
  readonly rpID: string
  readonly origin: string
}

/**
 * Undefined: browsers offer passkeys at https addresses and at localhost only. A page at another port of localhost may ask for one of ours as
 * well, so the port must be the console's own: what the request says of itself does not decide.
 */
export function relyingPartyOf(host: string | undefined, hosts: ConsoleHosts): RelyingParty | undefined {
  const { secureHost, passkeyPorts } = hosts
  if (host === undefined || !isOwnHost(host, hosts)) return undefined
  const [name = ''] = host.toLowerCase().split(':')
  if (isSecureHost(host, hosts)) return { rpID: name, origin: `https://${secureHost}` }
  const isOwnPort = passkeyPorts.size === 0 || passkeyPorts.has(portOf(host))
  return name === 'localhost' && isOwnPort ? { rpID: name, origin: `http://${host.toLowerCase()}` } : undefined
}

/**
 * Whether a form may have come from a page of this console. `Sec-Fetch-Site` decides where the browser sends it, else `Origin`. The console's
 * own pages send no referrer, so that their `Origin` may be `null`: that passes here, as a missing one does, and the token of the form decides alone.
 */
export function isOwnForm(headers: IncomingHttpHeaders, hosts: ConsoleHosts): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  const { origin, host } = headers
  if (origin === undefined || origin === 'null') return true
  return origin === `${isSecureHost(host, hosts) ? 'https' : 'http'}://${host}`
}

/** Whether a GET may be answered: pages of others lead here by a link; what they load or listen to is refused (browsers call it Fetch Metadata). */
export function isOwnReading(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'] ?? 'none'
  if (site === 'none' || site === 'same-origin') return true
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

const plain = (name: string): string => name.toLowerCase().replace(/^\[|\]$/g, '')
