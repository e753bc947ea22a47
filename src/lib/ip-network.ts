// Addresses and networks as operators list them, and as requests bring them: one spelling each.
import { BlockList, isIP } from 'node:net'

const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/
/** How many bits of an IPv6 address come before the IPv4 address that it carries. */
const MAPPED_BITS = 96

/** The shortest spelling of an IP address; an IPv4 address that came over an IPv6 socket is IPv4. Undefined for any other text. */
function canonicalIp(text: string): string | undefined {
  const family = isIP(text)
  if (family === 0 || text.includes('%')) return undefined
  return family === 4 ? text : ipv4Within(new URL(`http://[${text}]`).hostname.slice(1, -1))
}

/** `address` in its shortest spelling. */
function ipv4Within(address: string): string {
  const [, high, low] = MAPPED.exec(address) ?? []
  if (high === undefined || low === undefined) return address
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

/** `canonicalIp` of an address as proxies write it: with brackets, port and blanks around it. */
export function canonicalPeer(text: string): string | undefined {
  const bare = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return canonicalIp(bare)
}

/** The one spelling of an IP address or of a network such as 203.0.113.0/24. Undefined for any other text. */
export function canonicalNetwork(text: string): string | undefined {
  const [, written = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const address = canonicalIp(written)
  if (address === undefined) return undefined
  const width = isIP(address) === 4 ? 32 : 128
  const isMapped = width === 32 && isIP(written) === 6
  const bits = digits === undefined ? width : Number(digits) - (isMapped ? MAPPED_BITS : 0)
  if (bits < 0 || bits > width) return undefined
  return bits === width ? address : `${firstOf(address, width, bits)}/${bits}`
}

/** The first address of the network that `address` lies in. */
function firstOf(address: string, width: number, bits: number): string {
  const groups = width === 32 ? address.split('.').map(Number) : groupsOf(address)
  const size = width / groups.length
  const masked = groups.map((group, at) => {
    const cut = Math.min(size, Math.max(0, size * (at + 1) - bits))
    return (group >> cut) << cut
  })
  if (width === 32) return masked.join('.')
  return new URL(`http://[${masked.map((group) => group.toString(16)).join(':')}]`).hostname.slice(1, -1)
}

/** The eight groups of an IPv6 address in its shortest spelling. */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const gap = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...gap, ...right].map((group) => Number.parseInt(group, 16))
}

/** One customer has one IPv4 address, or a /64 of IPv6: what is counted together. */
export function clientKey(address: string): string {
  if (!address.includes(':')) return address
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}

export const isAddressOrNetwork = (text: string): boolean => canonicalNetwork(text) !== undefined

/** Whether an address is one of the entries or lies in one of their networks. Entries that are neither never match. */
export function createAddressCheck(entries: readonly string[]): (address: string) => boolean {
  const listed = new BlockList()
  for (const entry of entries) {
    const [address = '', bits] = canonicalNetwork(entry)?.split('/') ?? []
    const family = familyOf(address)
    if (family && bits === undefined) listed.addAddress(address, family)
    else if (family) listed.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const family = familyOf(address)
    return family !== undefined && listed.check(address, family)
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}
