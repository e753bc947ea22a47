// The client's address: the socket's peer, or the header of a trusted proxy.
import { BlockList, isIP } from 'node:net'

interface RequestOrigin {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
export type AddressOf = (request: RequestOrigin) => string
/** Where the proxy writes the client's address: a list that it adds to, or one address that it sets. */
export type AddressHeader = 'x-forwarded-for' | 'x-real-ip'

/** Sockets of listeners without a trusted proxy in front, such as the onion service's. */
const HEADERLESS = new WeakSet<object>()

/** Ignores address headers on this socket: clients write them themselves. */
export const believeNoHeader = (socket: object): void => void HEADERLESS.add(socket)

/** `trusted`: addresses or networks in CIDR form. Throws RangeError for anything else. */
export function createClientAddress(trusted: readonly string[], header: AddressHeader = 'x-forwarded-for'): AddressOf {
  const peerOf = rememberLast(createPeers(trusted))
  return ({ socket, headers }) => {
    const peer = peerOf(socket.remoteAddress ?? '')
    const value = peer.trusted && !HEADERLESS.has(socket) ? headers[header] : undefined
    if (value === undefined) return peer.address
    const text = String(value)
    if (isIP(text) === 4) return text // what nearly all proxies say
    const last = plain(text.split(',').at(-1) ?? '')
    return isIP(last) ? last : peer.address // only the last entry is the proxy's own; the ones before it are the client's claim
  }
}

/** One customer has one IPv4 address, or a /64 of IPv6: what is counted together. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  const groups = [...left, ...gap, ...right].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}

interface Peer {
  readonly address: string
  readonly trusted: boolean
}

function createPeers(trusted: readonly string[]): (remote: string) => Peer {
  const proxies = blockListOf(trusted)
  return (remote) => {
    const address = plain(remote)
    return { address, trusted: contains(proxies, address) }
  }
}

/** Behind a proxy every request has the same peer. */
function rememberLast(peerOf: (remote: string) => Peer): (remote: string) => Peer {
  let last: { readonly remote: string; readonly peer: Peer } | undefined
  return (remote) => {
    if (last?.remote !== remote) last = { remote, peer: peerOf(remote) }
    return last.peer
  }
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) addTo(list, entry)
  return list
}

function addTo(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry.trim()) ?? []
  const family = isIP(address)
  const width = family === 4 ? 32 : 128
  const prefix = bits === undefined ? width : Number(bits)
  if (family === 0 || prefix > width) throw new RangeError(`not an address or network: "${entry}"`)
  list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
}

function contains(list: BlockList, address: string): boolean {
  const family = isIP(address)
  return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Without port and brackets, and an IPv4 address that came in over an IPv6 socket as IPv4. */
function plain(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return bare.replace(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i, '$1')
}
