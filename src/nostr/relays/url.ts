// Normalizes relay addresses, and refuses unsafe addresses from untrusted parties.

import { isPublicHost } from '../../lib/private-host.js'
import { parseUrl } from '../../lib/url.js'

const MAX_LENGTH = 512

/**
 * The normal form of a relay address: scheme and host in lower case, no default port, trailing slash or fragment. Undefined unless it
 * is a `ws://` or `wss://` address of at most 512 characters without user and password.
 */
export function normalRelayUrl(text: string): string | undefined {
  if (text.length > MAX_LENGTH || parseUrl(text) === undefined) return undefined
  const { protocol, username, password, host, pathname, search } = new URL(text)
  if (protocol !== 'wss:' && protocol !== 'ws:') return undefined
  if (username !== '' || password !== '' || host === '') return undefined
  return `${protocol}//${host}${pathname.replace(/\/+$/, '')}${search}`
}

/** Why a relay from an untrusted party is not dialled, or undefined. `url` is a result of `normalRelayUrl`. */
export function refusalForForeign(url: string | undefined): string | undefined {
  if (url === undefined) return 'not a relay address'
  if (!url.startsWith('wss://')) return 'only wss:// is dialled for others'
  return isPublicHost(new URL(url).hostname) ? undefined : 'an address inside this network is never dialled for others'
}
