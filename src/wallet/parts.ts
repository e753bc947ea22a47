// What the verbs of a wallet share.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Prover } from '../grin/crypto/index.js'
import type { Keychain } from '../grin/keychain/index.js'
import type { createSecretVault } from '../grin/receive/index.js'
import { concatBytes, utf8, wipe } from '../lib/bytes.js'
import type { RandomBytes, RandomSource } from '../lib/random-bytes.js'
import type { AddressBook } from './address-book.js'
import type { ChainRules } from './chain-rules.js'
import type { Ledger } from './ledger.js'

export interface WalletParts {
  readonly keychain: Keychain
  readonly rules: ChainRules
  readonly ledger: Ledger
  readonly addresses: AddressBook
  readonly vault: ReturnType<typeof createSecretVault>
  readonly prover: Prover
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
