// BIP32 private derivation with grin's master string (specification: grin-wallet, 1.2 and 1.3).
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8, wipe } from '../../lib/bytes.js'
import { blindSum, compressedPublicKey, scalarToBytes, secretKeyFromBytes } from '../crypto/index.js'
import type { SecretKey, WalletSeed } from '../kinds/index.js'
import { keyUnusable } from './errors.js'
import { checkEntropy } from './mnemonic.js'

/** A key of the tree: secret key and 32 bytes of chain code. */
export interface KeyNode {
  readonly key: SecretKey
  readonly chainCode: Uint8Array
}

const MASTER = utf8('IamVoldemort')
const HARDENED = 2 ** 31

/** The root of the tree, from the wallet seed. Throws BAD_ENTROPY, or BAD_SECRET_KEY (chance 2^-127). */
export function masterNode(entropy: WalletSeed): KeyNode {
  checkEntropy(entropy)
  return nodeOf(hmac(sha512, MASTER, entropy), (key) => key, 'master key')
}

/** Public keys of nodes, 33 bytes: the derivation of every child needs its parent's. */
const publicKeys = new WeakMap<KeyNode, Uint8Array>()

function publicKeyOfNode(node: KeyNode): Uint8Array {
  const known = publicKeys.get(node) ?? compressedPublicKey(node.key)
  publicKeys.set(node, known)
  return known
}

/** Child `number` of a node; numbers from 2^31 up are hardened. Throws for a key outside 1 … n-1, without a retry. */
export function childNode(parent: KeyNode, number: number): KeyNode {
  const index = new Uint8Array(4)
  new DataView(index.buffer).setUint32(0, number)
  const start = number >= HARDENED ? concatBytes(Uint8Array.of(0), scalarToBytes(parent.key)) : publicKeyOfNode(parent)
  const digest = hmac(sha512, parent.chainCode, concatBytes(start, index))
  return nodeOf(digest, (key) => blindSum([key, parent.key], []), 'child key')
}

/** Splits 64 bytes into key and chain code, then overwrites them. */
function nodeOf(digest: Uint8Array, toKey: (key: SecretKey) => SecretKey, what: string): KeyNode {
  const node = { key: toKey(secretKeyFromBytes(digest.subarray(0, 32), what)), chainCode: digest.slice(32) }
  wipe(digest)
  if (node.key === 0n) throw keyUnusable(what)
  return node
}
