// What setup generates: tokens, a password that is never typed, the seed.
import { entropyFromMnemonic, mnemonicFromEntropy } from '../../grin/keychain/index.js'
import { toHex } from '../../lib/bytes.js'
import { Secret } from '../../lib/secret.js'
import type { SystemRandom } from '../../system/index.js'

/** 32 random bytes as 64 hex digits, after a prefix that secret scanners and people recognise. */
const token = (prefix: string, random: SystemRandom): string => `${prefix}${toHex(random.bytes(32))}`

export interface Tokens {
  readonly api: string
  readonly admin: string
  readonly webhook: string
}

export const newTokens = (random: SystemRandom): Tokens => ({
  api: token('pay_live_', random),
  admin: token('pay_admin_', random),
  webhook: token('whsec_', random),
})

/** For a till that restarts by itself: it is never typed, so it may be long. */
export const newPassword = (random: SystemRandom): Secret => new Secret(toHex(random.bytes(32)))

/** A wallet seed with its words. `isNew`: the words exist nowhere else yet. */
export interface Seed {
  readonly entropy: Secret<Uint8Array>
  readonly words: Secret
  readonly isNew: boolean
}

/** 24 words. */
export function newSeed(random: SystemRandom): Seed {
  const entropy = random.bytes(32)
  return { entropy: new Secret(entropy), words: new Secret(mnemonicFromEntropy(entropy)), isNew: true }
}

/** Throws BAD_MNEMONIC. */
export function seedFromWords(text: string): Seed {
  const entropy = entropyFromMnemonic(text)
  return { entropy: new Secret(entropy), words: new Secret(mnemonicFromEntropy(entropy)), isNew: false }
}
