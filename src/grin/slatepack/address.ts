// Text forms of an address key: one ed25519 key is slatepack address, onion service, proof key and age key.
// Specification: grin-wallet, 3.1.
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { sha3_256 } from '@noble/hashes/sha3.js'
import { base32nopad, bech32 } from '@scure/base'
import { concatBytes, equalBytes, utf8 } from '../../lib/bytes.js'
import { checkKind, ofKind } from '../../lib/kinds.js'
import type { AddressKey, AddressSeed } from '../kinds/index.js'
import { addressKey, isEd25519Key } from '../slate/index.js'
import { addressInvalid, wrongChain } from './errors.js'

/** `grin` on mainnet, `tgrin` on every other chain. */
export type AddressPrefix = 'grin' | 'tgrin'

/** The public key of an address: 32 bytes from the 32-byte seed of `Keychain.addressSeed`. */
export const addressOfSeed = (seed: AddressSeed): AddressKey =>
  ofKind('address key', ed25519.getPublicKey(checkKind('address seed', seed)))

/** `grin1…` or `tgrin1…`, 63 or 64 characters. */
export const formatAddress = (prefix: AddressPrefix, publicKey: AddressKey): string =>
  bech32.encodeFromBytes(prefix, addressKey(publicKey, 'address'))

/** Reads a slatepack address of our chain. Throws ADDRESS_INVALID, or SLATEPACK_WRONG_CHAIN for another prefix. */
export function parseAddress(text: string, prefix: AddressPrefix): AddressKey {
  const decoded = decode(text)
  if (decoded.prefix !== prefix) throw wrongChain(prefix)
  if (decoded.bytes.length !== 32) throw addressInvalid(`holds ${decoded.bytes.length} bytes instead of 32`)
  if (!isEd25519Key(decoded.bytes)) throw addressInvalid('not a key anybody can hold')
  return ofKind('address key', decoded.bytes)
}

function decode(text: string): { readonly prefix: string; readonly bytes: Uint8Array } {
  const decoded = text.length <= 90 ? bech32.decodeUnsafe(text) : undefined
  const bytes = decoded && bech32.fromWordsUnsafe(decoded.words)
  if (!decoded || !bytes) throw addressInvalid('misspelt (its check characters do not match)')
  return { prefix: decoded.prefix.toLowerCase(), bytes: new Uint8Array(bytes) }
}

const ONION_VERSION = Uint8Array.of(3)

const onionCheck = (publicKey: Uint8Array): Uint8Array =>
  sha3_256(concatBytes(utf8('.onion checksum'), publicKey, ONION_VERSION)).slice(0, 2)

/** The 56 characters of an onion address, version 3, without `.onion`. */
export const formatOnion = (publicKey: AddressKey): string =>
  base32nopad
    .encode(concatBytes(addressKey(publicKey, 'onion address'), onionCheck(publicKey), ONION_VERSION))
    .toLowerCase()

/** Reads an onion address in all usual spellings, with or without `http://` and `.onion`. Throws ADDRESS_INVALID. */
export function parseOnion(text: string): AddressKey {
  const name = /^(?:https?:\/\/)?([a-z2-7]{56})(?:\.onion)?\/?$/i.exec(text)?.[1]
  if (!name) throw addressInvalid('not 56 base32 characters')
  const bytes = base32nopad.decode(name.toUpperCase())
  const publicKey = bytes.slice(0, 32)
  if (!equalBytes(bytes, concatBytes(publicKey, onionCheck(publicKey), ONION_VERSION)))
    throw addressInvalid('misspelt (the onion checksum does not match)')
  if (!isEd25519Key(publicKey)) throw addressInvalid('not a key anybody can hold')
  return ofKind('address key', publicKey)
}

/** `age1…`: the age recipient of this address. */
export const ageRecipient = (publicKey: AddressKey): string => bech32.encodeFromBytes('age', x25519Public(publicKey))

/** `AGE-SECRET-KEY-1…`, a secret: decrypts slatepacks with age's own tools. */
export const ageIdentity = (seed: AddressSeed): string =>
  bech32.encodeFromBytes('age-secret-key-', x25519Secret(seed)).toUpperCase()

/** Montgomery u of an address key, 32 bytes. */
export const x25519Public = (publicKey: AddressKey): Uint8Array =>
  ed25519.utils.toMontgomery(addressKey(publicKey, 'recipient'))

/** The x25519 secret of an address seed, 32 bytes, unclamped (X25519 clamps). */
export const x25519Secret = (seed: AddressSeed): Uint8Array => sha512(checkKind('address seed', seed)).slice(0, 32)
