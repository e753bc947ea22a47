// A whole receive with the arithmetic alone, against transactions that grin's own sender finished and validated.
import { describe, expect, test } from 'vitest'
import {
  blindSum,
  compressedPublicKey,
  proveRange,
  publicKeyToCommitment,
  rawToCompact,
  scalarToBytes,
  secureNonce,
  signPartial,
  sumPublicKeys,
  verifyPartial,
  verifySignature,
} from '../../../src/grin/crypto/index.js'
import { openKeychain } from '../../../src/grin/keychain/index.js'
import { toHex } from '../../../src/lib/bytes.js'
import { bytes, casesOf, scalar } from '../crypto/vectors.js'

type Flow = {
  in: Record<
    | 'amount'
    | 'key_id'
    | 'receiver_excess_key'
    | 'receiver_nonce_seed'
    | 'receiver_seed'
    | 'sender_pub_excess'
    | 'sender_pub_nonce',
    string
  >
  out: Record<
    'commit' | 'proof' | 'kernel_msg' | 'offset' | 'partial' | 'partial_compact' | 'pub_excess' | 'pub_nonce',
    string
  >
  final: { excess: string; excess_sig: string }
}

describe('receiving', () => {
  test.each(casesOf<Flow>('receive_flow'))('$in.amount at $in.key_id', ({ in: given, out, final }) => {
    const keychain = openKeychain(bytes(given.receiver_seed))
    const output = keychain.proofInput(bytes(given.key_id), BigInt(given.amount))
    expect(toHex(output.commitment)).toBe(out.commit)
    expect(toHex(proveRange(output))).toBe(out.proof)

    const excessKey = scalar(given.receiver_excess_key)
    const nonce = secureNonce(bytes(given.receiver_nonce_seed))
    const publicKey = compressedPublicKey(excessKey)
    expect([publicKey, nonce.public].map(toHex)).toEqual([out.pub_excess, out.pub_nonce])
    expect(toHex(scalarToBytes(blindSum([output.blind], [excessKey])))).toBe(out.offset)

    const session = {
      keySum: sumPublicKeys([bytes(given.sender_pub_excess), publicKey]),
      nonceSum: sumPublicKeys([bytes(given.sender_pub_nonce), nonce.public]),
      message: bytes(out.kernel_msg),
    }
    const partial = signPartial({ ...session, secretKey: excessKey, secretNonce: nonce.secret })
    expect([partial, rawToCompact(partial)].map(toHex)).toEqual([out.partial, out.partial_compact])
    expect(verifyPartial({ ...session, signature: partial, publicKey })).toBe(true)

    expect(toHex(publicKeyToCommitment(session.keySum))).toBe(final.excess)
    const signature = bytes(final.excess_sig)
    expect(verifySignature({ signature, publicKey: session.keySum, message: session.message })).toBe(true)
  })
})
