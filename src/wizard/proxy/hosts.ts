// What may stand in the configuration of a proxy. Everything that goes there unquoted passes through here first.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { localHostPort } from '../../lib/url.js'
import { notForProxy } from '../errors.js'

const LONGEST_HOST = 253
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

const isHost = (text: string): boolean =>
  text.length <= LONGEST_HOST && text.split('.').every((label) => LABEL.test(label))

/** A host name as name servers know it: lower-case, without a dot at the end, other scripts encoded. Throws NOT_FOR_PROXY. */
export function hostName(what: string, text: string): string {
  const host = domainToASCII(text.replace(/\.$/, '')) // what is none at all becomes empty
  if (isHost(host)) return host
  throw notForProxy(`${what} is no host name: ${shown(text)}`)
}

/** Where something listens, as a proxy writes it: `host:port`, `[::1]:port`. Throws NOT_FOR_PROXY. */
export function upstream(what: string, text: string): string {
  const match = /^(?:\[([0-9a-f:]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i.exec(text)
  const [host, port] = [match?.[1] ?? match?.[2] ?? '', Number(match?.[3])]
  const isGood = match?.[1] === undefined ? isHost(host.toLowerCase()) : isIP(host) === 6
  if (isGood && port > 0 && port <= 65_535) return localHostPort(host, port)
  throw notForProxy(`${what} is no host:port that can be connected to: ${shown(text)}`)
}

/** An address of this machine. Throws NOT_FOR_PROXY. */
function ownAddress(what: string, text: string): string {
  if (isIP(text) !== 0 && !text.includes('%')) return text
  throw notForProxy(`${what} is no IP address: ${shown(text)}`)
}

/** A path that needs no quoting anywhere. Throws NOT_FOR_PROXY. */
function plainPath(what: string, text: string): string {
  if (/^\/[A-Za-z0-9._@+/-]+$/.test(text)) return text
  throw notForProxy(`${what} is no absolute path of letters, digits and . _ @ + - only: ${shown(text)}`)
}

/** Where a proxy listens: on all addresses of this machine, or on one. Throws NOT_FOR_PROXY. */
export function listeningOn(listen: string | undefined) {
  const address = listen === undefined ? undefined : ownAddress('the address to listen on', listen)
  return {
    listen: address,
    /** In front of the port. */
    addresses: address === undefined ? ['', '[::]:'] : [address.includes(':') ? `[${address}]:` : `${address}:`],
  }
}

/** Throws NOT_FOR_PROXY. */
export const certificateFiles = (files: { readonly chain: string; readonly key: string } | undefined) =>
  files && { chain: plainPath('the certificate', files.chain), key: plainPath('its key', files.key) }

const shown = (text: string): string => JSON.stringify(text.slice(0, 80))
