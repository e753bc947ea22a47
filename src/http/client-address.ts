// Who is asking: the socket's peer, or what a trusted proxy in front of us says.
import { BlockList, isIP } from 'node:net'

interface Asked {
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}
export type AddressOf = (request: Asked) => string

/** `trusted`: addresses or networks in CIDR form. Throws RangeError for anything else. */
export function createClientAddress(trusted: readonly string[]): AddressOf {
  const proxies = blockListOf(trusted)
  return ({ socket, headers }) => {
    const peer = plain(socket.remoteAddress ?? '')
    const forwarded = headers['x-forwarded-for']
    if (forwarded === undefined || !contains(proxies, peer)) return peer
    const last = plain(String(forwarded).split(',').at(-1) ?? '')
    return isIP(last) ? last : peer // only the last entry is the proxy's own; the ones before it are the client's claim
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
