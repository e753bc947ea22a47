// What the verbs of a wallet share.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { RangeProofInput } from '../grin/crypto/index.js'
import type { Keychain } from '../grin/keychain/index.js'
import type { createSecretVault } from '../grin/receive/index.js'
import { concatBytes, toHex, utf8, wipe } from '../lib/bytes.js'
import type { RandomBytes } from '../lib/random-bytes.js'
import type { ChainRules } from './chain-rules.js'
import type { Ledger } from './ledger.js'

/** Makes and checks range proofs, in this thread or in workers. */
export interface WalletProver {
  /** A proof of 675 bytes, determined by the input. */
  prove(input: RangeProofInput): Promise<Uint8Array>
  /** Whether the proof (675 bytes) holds for the commitment (33 bytes). */
  verify(commitment: Uint8Array, proof: Uint8Array): Promise<boolean>
}

/** Returns that many cryptographically secure random bytes. */
export type RandomSource = (length: number) => Uint8Array

export interface WalletParts {
  readonly keychain: Keychain
  readonly rules: ChainRules
  readonly ledger: Ledger
  readonly vault: ReturnType<typeof createSecretVault>
  readonly prover: WalletProver
  readonly random: RandomSource
  /** Epoch milliseconds. */
  readonly now: () => number
}

const LABEL = 'grinpay wallet randomness 1'

/**
 * Random bytes bound to `purpose` (at least the slate's id or digest): a machine that resumes twice from one snapshot repeats its random
 * bytes, and must still not sign two messages with one nonce. HMAC-SHA256 under a key of the seed, over fresh bytes, purpose and a count.
 */
export function boundRandom({ keychain, random, now }: WalletParts, purpose: string): RandomBytes {
  let count = 0
  const context = utf8(`${purpose} ${now()}`)
  return {
    bytes(length) {
      const key = keychain.subkey(LABEL)
      const fresh = random(32)
      const blocks = Array.from({ length: Math.ceil(length / 32) }, () =>
        hmac(sha256, key, concatBytes(fresh, utf8(`${count++} `), context)),
      )
      wipe(key, fresh)
      return concatBytes(...blocks).slice(0, length)
    },
  }
}

/** A random UUID, version 4 (RFC 9562). */
export function newSlateId(random: RandomSource): string {
  const bytes = random(16).slice()
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
