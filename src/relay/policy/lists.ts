// The operator's lists, which change while the relay runs: by command, by management requests (NIP-86), by hand.
import { BlockList, isIP } from 'node:net'

/** Something on a list, and why. */
export interface Listed {
  readonly reason: string
  /** Epoch milliseconds. */
  readonly since: number
}

type Entries = Readonly<Record<string, Listed>>

/** The document as it is stored. Keys and event ids are 64 lower-case hex, kinds decimal, addresses IP addresses or networks. */
export interface RelayLists {
  readonly bannedKeys: Entries
  /** May write where only listed keys may, and public notes. */
  readonly allowedKeys: Entries
  readonly bannedEvents: Entries
  readonly allowedKinds: Entries
  readonly bannedKinds: Entries
  readonly blockedAddresses: Entries
  /** Keys that may manage the relay, beside those of the settings. */
  readonly admins: Entries
  /** What the relay says about itself instead of its settings. */
  readonly info: { readonly name?: string; readonly description?: string; readonly icon?: string }
}

export const NO_LISTS: RelayLists = {
  bannedKeys: {},
  allowedKeys: {},
  bannedEvents: {},
  allowedKinds: {},
  bannedKinds: {},
  blockedAddresses: {},
  admins: {},
  info: {},
}

/** The lists in force. */
export interface ListSource {
  /** The same object until something changes. */
  current(): RelayLists
}

export const FIXED_LISTS: ListSource = { current: () => NO_LISTS }

export const isListed = (entries: Entries, key: string): boolean => Object.hasOwn(entries, key)

/** Kinds of a list. */
export const kindsOf = (entries: Entries): readonly number[] => Object.keys(entries).map(Number)

/** Whether an address is one of the entries or lies in one of their networks. Entries that are neither never match. */
export function createAddressCheck(entries: Entries): (address: string) => boolean {
  const blocked = new BlockList()
  for (const entry of Object.keys(entries)) {
    const [address = '', bits] = entry.split('/')
    const family = familyOf(address)
    if (family && bits === undefined) blocked.addAddress(address, family)
    else if (family) blocked.addSubnet(address, Number(bits), family)
  }
  return (address) => {
    const family = familyOf(address)
    return family !== undefined && blocked.check(address, family)
  }
}

/** An IP address, or a network such as 203.0.113.0/24. */
export function isAddressOrNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const family = familyOf(address)
  if (!family || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 'ipv4' ? 32 : 128))
}

function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}
