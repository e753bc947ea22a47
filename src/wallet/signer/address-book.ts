// The addresses that a wallet handed out. Their keys are computed once, and only when a message names or may name one of them: each costs
// about a millisecond, and foreign messages cost nothing to send.
import type { Keychain } from '../../grin/keychain/index.js'
import type { AddressKey } from '../../grin/kinds/index.js'
import { addressOfSeed, type DecryptionKey, decryptionKey } from '../../grin/slatepack/index.js'
import { nextTurn } from '../../lib/next-turn.js'
import type { AddressRange } from './signer.js'

/** An address that this wallet handed out. */
interface HandedOutAddress {
  readonly account: number
  readonly index: number
  /** ed25519, 32 bytes. */
  readonly publicKey: AddressKey
  /** Secret: opens what is encrypted to it. */
  readonly key: DecryptionKey
}

export interface AddressBook {
  /** Every address of the ranges, in their order. */
  all(ranges: readonly AddressRange[]): Promise<HandedOutAddress[]>
  /** The keys of all, in the order in which they are worth trying: the first of every account, then the newest. */
  keys(ranges: readonly AddressRange[]): Promise<DecryptionKey[]>
}

/** Keys that are computed between two turns of the event loop. */
const KEYS_PER_TURN = 16

export function createAddressBook(keychain: Keychain): AddressBook {
  const known = new Map<number, HandedOutAddress[]>()

  function add(account: number, addresses: HandedOutAddress[]): void {
    const index = addresses.length
    const seed = keychain.addressSeed(account, index)
    const publicKey = addressOfSeed(seed)
    addresses.push({ account, index, publicKey, key: decryptionKey(seed, publicKey) })
  }

  /** The first `count` addresses of an account. Callers that overlap share the work. */
  async function addressesOf({ account, count }: AddressRange): Promise<HandedOutAddress[]> {
    const addresses = known.get(account) ?? []
    known.set(account, addresses)
    while (addresses.length < count) {
      add(account, addresses)
      if (addresses.length % KEYS_PER_TURN === 0) await nextTurn()
    }
    return addresses.slice(0, count)
  }

  async function all(ranges: readonly AddressRange[]): Promise<HandedOutAddress[]> {
    const found: HandedOutAddress[] = []
    for (const range of ranges) found.push(...(await addressesOf(range)))
    return found
  }

  return {
    all,
    async keys(ranges) {
      const addresses = await all(ranges)
      const first = addresses.filter(({ index }) => index === 0)
      const others = addresses.filter(({ index }) => index > 0).sort((a, b) => b.index - a.index)
      return [...first, ...others].map(({ key }) => key)
    },
  }
}
