// The addresses that a wallet handed out. Their keys are computed once, and only when a message names or may name one of them: each costs
// about a millisecond, and foreign messages cost nothing to send.
import type { Keychain } from '../../grin/keychain/index.js'
import type { AddressKey } from '../../grin/kinds/index.js'
import { addressOfSeed, type DecryptionKey, decryptionKey } from '../../grin/slatepack/index.js'
import { equalBytes } from '../../lib/bytes.js'
import { nextTurn } from '../../lib/next-turn.js'
import type { AddressPlace } from '../model.js'
import type { AddressRange } from './signer.js'

/** An address that this wallet handed out. */
interface HandedOutAddress extends AddressPlace {
  /** ed25519, 32 bytes. */
  readonly publicKey: AddressKey
  /** Secret: opens what is encrypted to it. */
  readonly key: DecryptionKey
}

export interface AddressBook {
  /** Every address of the ranges, in their order. */
  all(ranges: readonly AddressRange[]): Promise<HandedOutAddress[]>
  /** The address with this public key, if it is of the ranges. */
  find(ranges: readonly AddressRange[], publicKey: AddressKey): Promise<HandedOutAddress | undefined>
  /**
   * All of them, in the order in which they are worth trying: the one that is expected, the first of every account, then the newest. A key is
   * computed when it is asked for.
   */
  inOrder(ranges: readonly AddressRange[], expected?: AddressPlace): AsyncIterable<HandedOutAddress>
}

/** Keys that are computed between two turns of the event loop. */
const KEYS_PER_TURN = 16

export function createAddressBook(keychain: Keychain): AddressBook {
  const known = new Map<string, HandedOutAddress>()
  let computed = 0

  async function addressAt({ account, index }: AddressPlace): Promise<HandedOutAddress> {
    const name = `${account}/${index}`
    const cached = known.get(name)
    if (cached) return cached
    const seed = keychain.addressSeed(account, index)
    const publicKey = addressOfSeed(seed)
    const address = { account, index, publicKey, key: decryptionKey(seed, publicKey) }
    known.set(name, address)
    computed += 1
    if (computed % KEYS_PER_TURN === 0) await nextTurn()
    return address
  }

  async function* inOrder(ranges: readonly AddressRange[], expected?: AddressPlace): AsyncGenerator<HandedOutAddress> {
    if (expected && isIn(ranges, expected)) yield await addressAt(expected)
    for (const place of placesByWorth(ranges)) yield await addressAt(place)
  }

  return {
    inOrder,
    async all(ranges) {
      const found: HandedOutAddress[] = []
      for (const place of placesOf(ranges)) found.push(await addressAt(place))
      return found
    },
    async find(ranges, publicKey) {
      const isNamed = (address: HandedOutAddress): boolean => equalBytes(address.publicKey, publicKey)
      for (const address of known.values()) if (isNamed(address) && isIn(ranges, address)) return address
      for await (const address of inOrder(ranges)) if (isNamed(address)) return address
      return undefined
    },
  }
}

const isIn = (ranges: readonly AddressRange[], { account, index }: AddressPlace): boolean =>
  ranges.some((range) => range.account === account && Number.isInteger(index) && index >= 0 && index < range.count)

const placesOf = (ranges: readonly AddressRange[]): AddressPlace[] =>
  ranges.flatMap(({ account, count }) => Array.from({ length: count }, (_, index) => ({ account, index })))

function placesByWorth(ranges: readonly AddressRange[]): AddressPlace[] {
  const places = placesOf(ranges)
  const others = places.filter(({ index }) => index > 0).sort((a, b) => b.index - a.index)
  return [...places.filter(({ index }) => index === 0), ...others]
}
