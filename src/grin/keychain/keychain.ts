// All keys of a wallet, from its seed. Nothing here is random: the same seed, path and amount give the same bytes.
import { hkdf } from '@noble/hashes/hkdf.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { concatBytes, equalBytes, utf8, wipe } from '../../lib/bytes.js'
import { ofKind } from '../../lib/kinds.js'
import {
  blake2b256,
  blindSum,
  commit,
  compressedPublicKey,
  type RangeProofInput,
  rewindRange,
  type Scalar,
  scalarToBytes,
  secretKeyFromBytes,
  switchBlind,
} from '../crypto/index.js'
import type {
  AddressSeed,
  Amount,
  BlindingFactor,
  Commitment,
  RangeProof,
  SecretKey,
  Subkey,
  ViewKey,
  WalletSeed,
} from '../kinds/index.js'
import { keyUnusable } from './errors.js'
import {
  addressIdentifier,
  type Identifier,
  parseRangeProofMessage,
  pathOf,
  rangeProofMessage,
  type SwitchType,
} from './identifier.js'
import { checkEntropy } from './mnemonic.js'

// BIP32 private derivation with grin's master string (specification: grin-wallet, 1.2 and 1.3).
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

/** An output of this wallet. `value` in nanogrin. */
export interface RewoundOutput {
  readonly identifier: Identifier
  readonly value: Amount
  readonly switchType: SwitchType
}

/** All keys of a wallet. It holds secrets; amounts are nanogrin. */
export interface Keychain {
  /** BLAKE2b of the public root key, 32 bytes: the view key. It reveals all amounts and paths. */
  readonly rewindHash: ViewKey
  /** The unswitched key at an identifier. */
  deriveKey(identifier: Identifier): SecretKey
  /** The blinding factor of an output of `value` nanogrin, default switch type: regular. */
  outputBlind(identifier: Identifier, value: Amount, switchType?: SwitchType): BlindingFactor
  /** The commitment of that output, 33 bytes. */
  commitOutput(identifier: Identifier, value: Amount, switchType?: SwitchType): Commitment
  /** The prover's input for that output. */
  proofInput(
    identifier: Identifier,
    value: Amount,
    switchType?: SwitchType,
  ): RangeProofInput & { readonly commitment: Commitment }
  /** Amount and path of an output of this wallet, whose commitment is recomputed and compared; undefined for every other. */
  rewindOutput(commitment: Commitment, proof: RangeProof): RewoundOutput | undefined
  /** The ed25519 seed of address `index` of an account, 32 bytes. */
  addressSeed(account: number, index: number): AddressSeed
  /** HKDF-SHA256 of the root key under a label, 32 bytes: for keys outside Grin's key tree. */
  subkey(label: string): Subkey
}

/** Keyed with the commitment, as in grin's proof builder, which requires a valid secret key. */
function nonceOf(hash: Uint8Array, commitment: Uint8Array): Uint8Array {
  const nonce = blake2b256(hash, commitment)
  secretKeyFromBytes(nonce, 'proof nonce')
  return nonce
}

/**
 * What the view key alone shows of an output; undefined for one of another wallet. Who has the view key can make outputs that it shows and
 * the seed does not open: only `rewindOutput` of a keychain compares the commitment. Throws BAD_LENGTH.
 */
export function viewOutput(rewindHash: ViewKey, commitment: Commitment, proof: RangeProof): RewoundOutput | undefined {
  const rewound = rewindRange(commitment, proof, nonceOf(rewindHash, commitment))
  const ours = rewound && parseRangeProofMessage(rewound.message)
  return rewound && ours && { ...ours, value: rewound.value }
}

/** Cached branch nodes. A wallet needs two of each account: outputs and addresses. */
const MOST_BRANCHES = 16

/** Opens the keychain of a wallet seed of 16 … 32 bytes, and leaves the seed unchanged. Throws BAD_ENTROPY. */
export function openKeychain(entropy: WalletSeed): Keychain {
  const master = masterNode(entropy)
  const rewindHash = ofKind('view key', blake2b256(compressedPublicKey(master.key)))
  const privateHash = blake2b256(scalarToBytes(master.key))

  const branches = new Map<string, KeyNode>()

  /** The node of a path, from the cache after the first call. */
  function branchAt(path: readonly number[]): KeyNode {
    const name = path.join('/')
    const known = branches.get(name)
    if (known) return known
    const node = path.reduce(childNode, master)
    if (branches.size >= MOST_BRANCHES) branches.clear()
    branches.set(name, node)
    return node
  }

  function deriveKey(identifier: Identifier): SecretKey {
    const path = pathOf(identifier)
    return path.slice(-1).reduce(childNode, branchAt(path.slice(0, -1))).key
  }

  function outputBlind(identifier: Identifier, value: Amount, switchType: SwitchType = 'regular'): BlindingFactor {
    const key: Scalar = deriveKey(identifier)
    return switchType === 'regular' ? switchBlind(value, key) : key
  }

  function proofInput(identifier: Identifier, value: Amount, switchType: SwitchType = 'regular') {
    const blind = outputBlind(identifier, value, switchType)
    const commitment = commit(value, blind)
    return {
      commitment,
      value,
      blind,
      rewindNonce: ofKind('rewind nonce', nonceOf(rewindHash, commitment)),
      privateNonce: ofKind('private nonce', nonceOf(privateHash, commitment)),
      message: rangeProofMessage(identifier, switchType),
    }
  }

  function commitOutput(identifier: Identifier, value: Amount, switchType: SwitchType = 'regular'): Commitment {
    return commit(value, outputBlind(identifier, value, switchType))
  }

  function rewindOutput(commitment: Commitment, proof: RangeProof): RewoundOutput | undefined {
    const ours = viewOutput(rewindHash, commitment, proof)
    if (!ours) return undefined
    const { value } = ours
    // A foreign output reaches this check with probability 2^-32, and a proof does not identify the maker of the commitment.
    const recomputed = commitOutput(ours.identifier, value, ours.switchType)
    return equalBytes(recomputed, commitment) ? ours : undefined
  }

  function subkey(label: string): Subkey {
    const root = scalarToBytes(master.key)
    const key = ofKind('subkey', hkdf(sha256, root, undefined, utf8(label), 32))
    wipe(root)
    return key
  }

  return {
    rewindHash,
    deriveKey,
    outputBlind,
    commitOutput,
    proofInput,
    rewindOutput,
    addressSeed(account, index) {
      const key = scalarToBytes(deriveKey(addressIdentifier(account, index)))
      const seed = ofKind('address seed', blake2b256(key))
      wipe(key)
      return seed
    },
    subkey,
  }
}
