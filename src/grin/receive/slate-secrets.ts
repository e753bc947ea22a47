// The receiver's secrets for one slate: which values bind them. How: `boundSecrets`.
import { sha256 } from '@noble/hashes/sha2.js'
import { utf8 } from '../../lib/bytes.js'
import { boundSecrets, type SecretSource, type SlateSecrets } from '../tx/index.js'
import { createByteWriter } from '../wire/index.js'

/** Secrets for the reply to an S1: `digest` is its `digestSlate`, 32 bytes. The purpose is "S1", the state that is answered. */
export const secretsForS1 = (source: Required<SecretSource>, digest: Uint8Array): SlateSecrets =>
  boundSecrets(source, 'S1', digest)

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
  source: Required<SecretSource>,
  { id, amount, account = 0, keyIndex, now }: I1Details,
): SlateSecrets {
  const name = utf8(id)
  const context = createByteWriter()
    .u64(amount)
    .u64(BigInt(keyIndex))
    .u64(BigInt(Math.max(0, Math.trunc(now))))
    .bytes(name, name.length, 'id')
  if (account !== 0) context.u32(account)
  return boundSecrets(source, 'I1', sha256(context.done()))
}
