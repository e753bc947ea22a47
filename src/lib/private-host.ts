// Hosts that are this machine or a neighbour: plain http may go there.
import { BlockList, isIP } from 'node:net'

const PRIVATE_NETS = [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const
/** Neither this machine nor a private network, and not a public address either. */
const SPECIAL_NETS = [
  ['0.0.0.0', 8],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

const PRIVATE = new BlockList()
for (const [net, prefix] of PRIVATE_NETS) PRIVATE.addSubnet(net, prefix, 'ipv4')
PRIVATE.addAddress('::1', 'ipv6')
PRIVATE.addSubnet('fc00::', 7, 'ipv6')
PRIVATE.addSubnet('fe80::', 10, 'ipv6')

/** Names that no public name server answers for. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|internal|lan|home\.arpa)$|^[^.]+$/

/** `hostname` as `URL.hostname` gives it. Names count by their ending only; nothing is looked up. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return LOCAL_NAME.test(address.toLowerCase().replace(/\.$/, ''))
  return PRIVATE.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

const NOT_PUBLIC = new BlockList()
for (const [net, prefix] of [...PRIVATE_NETS, ...SPECIAL_NETS]) {
  NOT_PUBLIC.addSubnet(net, prefix, 'ipv4')
  // The same nets as a translator to IPv4 spells them.
  NOT_PUBLIC.addSubnet(`64:ff9b::${net}`, 96 + prefix, 'ipv6')
}
for (const [net, prefix] of [
  ['::', 96],
  ['::ffff:0:0:0', 96],
  ['100::', 64],
  ['64:ff9b:1::', 48],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const) {
  NOT_PUBLIC.addSubnet(net, prefix, 'ipv6')
}

/** Names of Tor: no name server knows them, and asking one would reveal a payment over Tor (RFC 7686). */
const TOR_NAME = /\.onion\.?$/i

/** `hostname` as `URL.hostname` gives it. Tor encrypts the connection and proves the address, also with plain http. */
export const isTorHost = (hostname: string): boolean => TOR_NAME.test(hostname)

/**
 * Whether an untrusted party may cause a connection there: no address of this machine, of a private net or of special use, and no name that
 * only a neighbour or Tor knows. A public name may still resolve to a private address: check what it resolves to as well.
 */
export function isPublicHost(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(address)
  if (family === 0) return !isPrivateHost(address) && !isTorHost(address)
  return !NOT_PUBLIC.check(address, family === 4 ? 'ipv4' : 'ipv6')
}
