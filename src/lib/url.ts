/**
 * The parsed address, or undefined for anything that is none. Used instead of `URL.canParse`: once V8 has optimised its caller, that of
 * Node 20 answers false for every text with a letter between U+0080 and U+00FF, such as https://bücher.example.
 */
export function parseUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

// Where a program listens, as text of an address.
/** `host:port`; IPv6 goes into brackets. */
export const hostPort = (host: string, port: number): string => `${host.includes(':') ? `[${host}]` : host}:${port}`

/** Where a program that listens there is reached from its own machine: every address stands for the local one too. */
export const localHostPort = (host: string, port: number): string =>
  hostPort(host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host, port)

// The target of a request line. Servers also take its absolute form, which clients behind a proxy send (RFC 9112, 3.2.2).
const AUTHORITY = /^https?:\/\/[^/?#]*/i

/** Path and query of a target: `/a?b` of `http://host/a?b`. Any other text stays as it is. */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const authority = AUTHORITY.exec(target)?.[0]
  if (authority === undefined) return target
  const rest = target.slice(authority.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

// Addresses that paths are added to, or that clients sign and compare: one spelling, that of URL standards.
const refuse = (message: string): never => {
  throw new RangeError(message)
}

/** An address with one of the schemes (no colon) and without user name and password. Throws RangeError; messages complete "PAY_X …". */
export function checkedUrl(text: string, schemes: readonly string[]): URL {
  const url = parseUrl(text)
  if (!url || !schemes.includes(url.protocol.slice(0, -1)))
    return refuse(`must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`)
  if (url.username !== '' || url.password !== '') return refuse('must not contain a user name or password')
  return url
}

/**
 * The one spelling of a base address: host in lower case and Punycode, no default port, no slash at the end. Throws RangeError, also for a
 * query or a fragment: a path after one of them would not be a path.
 */
export function baseAddress(text: string, schemes: readonly string[]): string {
  const url = checkedUrl(text, schemes)
  const base = `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}`
  return /[?#]/.test(text) ? refuse(`must be an address without "?" and "#": write ${base}`) : base
}

/** The one spelling of a host name: lower case, Punycode. Undefined for a text that names no host. */
export const canonicalHost = (text: string): string | undefined => parseUrl(`https://${text}`)?.hostname
