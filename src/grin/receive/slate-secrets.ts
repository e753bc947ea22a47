// The till's secrets for one slate. A virtual machine that resumes twice from one snapshot repeats its random bytes, and one nonce
// under two signatures reveals the key. The secrets are therefore an HMAC of the random bytes and the digest of the slate, under a
// key derived from the wallet's seed: equal secrets only ever sign equal messages.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8, wipe } from '../../lib/bytes.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import { type Scalar, secretKeyFromBytes, secureNonce } from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import type { SlateSecrets } from '../tx/index.js'
import { createByteWriter } from '../wire/index.js'

const LABEL = 'grinpay slate secrets 1'
/** A draw is outside 1 … n-1 with probability 2^-128. */
const MOST_DRAWS = 8

export interface SecretSource {
  readonly keychain: Keychain
  readonly random: RandomBytes
}

/**
 * Secrets for the reply to an S1: `digest` is its `digestSlate`, 32 bytes. Key and nonce are
 * HMAC-SHA256(K, "S1 key N" or "S1 nonce N" || 32 random bytes || digest), N counting draws from 0, with K = HKDF-SHA256 of the root key.
 */
export const secretsForS1 = (source: SecretSource, digest: Uint8Array): SlateSecrets => draw(source, 'S1', digest)

/** The values that make an I1 unique. */
export interface I1Details {
  /** The slate's id, a UUID. */
  readonly id: string
  /** Nanogrin. */
  readonly amount: bigint
  /** Default 0. */
  readonly account?: number
  readonly keyIndex: number
  /** Epoch milliseconds: the only part of an I1 that two copies of one machine do not share. */
  readonly now: number
}

/** Secrets for an I1 under "I1 key N" and "I1 nonce N"; the digest is SHA-256(amount u64 || key index u64 || time u64 || id || account u32 unless 0). */
export function secretsForI1(
  source: SecretSource,
  { id, amount, account = 0, keyIndex, now }: I1Details,
): SlateSecrets {
  const name = utf8(id)
  const context = createByteWriter()
    .u64(amount)
    .u64(BigInt(keyIndex))
    .u64(BigInt(Math.max(0, Math.trunc(now))))
    .bytes(name, name.length, 'id')
  if (account !== 0) context.u32(account)
  return draw(source, 'I1', sha256(context.done()))
}

function draw({ keychain, random }: SecretSource, purpose: 'S1' | 'I1', digest: Uint8Array): SlateSecrets {
  const key = keychain.subkey(LABEL)
  const fresh = random.bytes(32)
  const seed = (use: string): Uint8Array => hmac(sha256, key, concatBytes(utf8(`${purpose} ${use}`), fresh, digest))
  const nonceSeed = seed('nonce 0')
  const secrets = { key: drawKey((turn) => seed(`key ${turn}`)), nonce: secureNonce(nonceSeed) }
  wipe(key, fresh, nonceSeed)
  return secrets
}

function drawKey(seed: (turn: number) => Uint8Array): Scalar {
  for (let turn = 0; turn < MOST_DRAWS; turn++) {
    const bytes = seed(turn)
    try {
      return secretKeyFromBytes(bytes)
    } catch {
      // Not below the group order: draw again.
    } finally {
      wipe(bytes)
    }
  }
  throw new Error('no usable key')
}
