// Randomness of a signer, bound to what it is for.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Keychain } from '../../grin/keychain/index.js'
import { concatBytes, utf8, wipe } from '../../lib/bytes.js'
import type { RandomBytes, RandomSource } from '../../lib/random-bytes.js'

const LABEL = 'grinpay wallet randomness 1'

interface Sources {
  readonly keychain: Keychain
  readonly random: RandomSource
  /** Epoch milliseconds. */
  readonly now: () => number
}

/**
 * Random bytes bound to `purpose` (at least the slate's id or digest): a machine that resumes twice from one snapshot repeats its random
 * bytes, and must still not sign two messages with one nonce. HMAC-SHA256 under a key of the seed, over fresh bytes, purpose and a count.
 */
export function boundRandom({ keychain, random, now }: Sources, purpose: string): RandomBytes {
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
