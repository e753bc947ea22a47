// Addresses and networks as operators list them.
import { BlockList, isIP } from 'node:net'

/** An IP address, or a network such as 203.0.113.0/24. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = familyOf(address)
  if (!family || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
}

/** Whether an address is one of the entries or lies in one of their networks. Entries that are neither never match. */
export function createAddressCheck(entries: readonly string[]): (address: string) => boolean {
  const listed = new BlockList()
  for (const entry of entries.filter(isAddressOrNetwork)) {
    const [address = '', bits] = entry.split('/')
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
