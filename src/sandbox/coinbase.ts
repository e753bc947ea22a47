// Play money: a coinbase that the payer makes for itself and the simulated node checks. Specification: grin-crypto, 8.7.

import {
  addSignatures,
  commit,
  compressedPublicKey,
  type ProveRange,
  secureNonce,
  signPartial,
  sumCommitments,
} from '../grin/crypto/index.js'
import type { Identifier, Keychain } from '../grin/keychain/index.js'
import type { Coin } from '../grin/payer/index.js'
import { featuresJson, kernelMessage, signatureJson } from '../grin/tx/index.js'
import { toHex } from '../lib/bytes.js'
import type { RandomBytes } from '../lib/random-bytes.js'

export interface CoinbaseParts {
  readonly keychain: Keychain
  readonly prove: ProveRange
  readonly random: RandomBytes
}

export interface MadeCoinbase {
  readonly coin: Coin
  /** What POST /sandbox/coinbase takes. */
  readonly json: object
}

/** A coinbase worth `value` nanogrin under this key. */
export async function makeCoinbase(identifier: Identifier, value: bigint, parts: CoinbaseParts): Promise<MadeCoinbase> {
  const { commitment, ...input } = parts.keychain.proofInput(identifier, value)
  const nonce = secureNonce(parts.random.bytes(32))
  const features = { kind: 'coinbase' } as const
  // A coinbase has no second party: its key is the blinding factor.
  const secretKey: bigint = input.blind
  const session = {
    nonceSum: nonce.public,
    keySum: compressedPublicKey(secretKey),
    message: kernelMessage(features),
  }
  const part = signPartial({ secretKey, secretNonce: nonce.secret, ...session })
  const proof = await parts.prove(input)
  return {
    coin: { identifier, value, coinbase: true },
    json: {
      value: value.toString(),
      output: { features: 'Coinbase', commit: toHex(commitment), proof: toHex(proof) },
      kernel: {
        features: featuresJson(features),
        excess: toHex(sumCommitments([commitment], [commit(value, 0n)])),
        excess_sig: signatureJson(addSignatures([part], nonce.public)),
      },
    },
  }
}
