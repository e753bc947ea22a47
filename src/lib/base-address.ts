// Addresses that paths are added to, or that clients sign and compare: one spelling, that of URL standards.
import { parseUrl } from './url.js'

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
