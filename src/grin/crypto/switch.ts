// Switch blinding: the blinding factor of an output depends on its amount (specification: grin-crypto, 5).
import type { Amount, BlindingFactor, SecretKey } from '../kinds/index.js'
import { fixedSum } from './fixed-sum.js'
import { sha } from './hash.js'
import { commit } from './pedersen.js'
import { encodePublicKey, pointOf } from './point.js'
import { checkSecretKey, modN, scalarFromBytes } from './scalar.js'

/** k' = k + SHA(commit(v, k) || SEC(k*J)) modulo n, valid for this amount only. Throws BAD_SECRET_KEY for k outside 1 … n-1. */
export function switchBlind(value: Amount, key: SecretKey): BlindingFactor {
  checkSecretKey(key, 'derived key')
  const hash = sha(commit(value, key), encodePublicKey(pointOf(fixedSum({ J: key }), 'switch key')))
  return modN(key + scalarFromBytes(hash, 'switch hash'))
}
