// Hosts that are this machine or a neighbour: plain http may go there.
import { BlockList, isIP } from 'node:net'

const PRIVATE = new BlockList()
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4')
}
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
