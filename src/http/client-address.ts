// The client's address: the socket's peer, or the header of a trusted proxy.
import { isIP } from 'node:net'
import { canonicalNetwork, canonicalPeer, createAddressCheck } from '../lib/ip-network.js'

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

/**
 * The client is the rightmost address of the header that is no trusted proxy: each proxy adds the peer that it saw, and what stands left of the
 * first stranger is that stranger's claim. `trusted`: addresses or networks in CIDR form. Throws RangeError for anything else.
 */
export function createClientAddress(trusted: readonly string[], header: AddressHeader = 'x-forwarded-for'): AddressOf {
  for (const entry of trusted)
    if (canonicalNetwork(entry.trim()) === undefined) throw new RangeError(`not an address or network: "${entry}"`)
  const isProxy = createAddressCheck(trusted.map((entry) => entry.trim()))
  const peerOf = rememberLast((remote) => {
    const address = canonicalPeer(remote) ?? remote
    return { address, trusted: isProxy(address) }
  })
  return ({ socket, headers }) => {
    const peer = peerOf(socket.remoteAddress ?? '')
    const value = peer.trusted && !HEADERLESS.has(socket) ? headers[header] : undefined
    if (value === undefined) return peer.address
    const text = String(value)
    if (isIP(text) === 4) return text // what nearly all proxies say
    return rightmostStranger(text.split(','), isProxy) ?? peer.address
  }
}

/** All trusted: the leftmost. Undefined when the last entry is no address. */
function rightmostStranger(entries: readonly string[], isProxy: (address: string) => boolean): string | undefined {
  let nearest: string | undefined
  for (let at = entries.length - 1; at >= 0; at--) {
    const address = canonicalPeer(entries[at] ?? '')
    if (address === undefined) return nearest
    nearest = address
    if (!isProxy(address)) return nearest
  }
  return nearest
}

interface Peer {
  readonly address: string
  readonly trusted: boolean
}

/** Behind a proxy every request has the same peer. */
function rememberLast(peerOf: (remote: string) => Peer): (remote: string) => Peer {
  let last: { readonly remote: string; readonly peer: Peer } | undefined
  return (remote) => {
    if (last?.remote !== remote) last = { remote, peer: peerOf(remote) }
    return last.peer
  }
}
