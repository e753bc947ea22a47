// The signing arithmetic of both parties of a slate. Specification: grin-crypto, 9; grin-wallet, 2.7 and 2.8.
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes, utf8, wipe } from '../../lib/bytes.js'
import { checkKind, ofKind } from '../../lib/kinds.js'
import type { RandomBytes } from '../../lib/random-bytes.js'
import {
  addSignatures,
  blindSum,
  compressedPublicKey,
  type Nonce,
  publicKeyToCommitment,
  type Scalar,
  scalarFromBytes,
  scalarToBytes,
  secretKeyFromBytes,
  secureNonce,
  signPartial,
  sumPublicKeys,
  verifyPartial,
} from '../crypto/index.js'
import type { Keychain } from '../keychain/index.js'
import type { BlindingFactor, Commitment, Offset, PublicKey, SecretKey, SlateSecretBytes } from '../kinds/index.js'
import type { Participant, Slate } from '../slate/index.js'
import { createByteReader } from '../wire/index.js'
import { txInvalid } from './errors.js'
import { featuresOfSlate, type Kernel, kernelMessage } from './kernel.js'

/** One participant's secrets for one slate. They sign one message, once. */
export interface SlateSecrets {
  /** The share of the kernel's key, independent of outputs. */
  readonly key: SecretKey
  readonly nonce: Nonce
}

/** Key and nonce for the store, 64 secret bytes. The store wipes them when the slate is final. */
export const packSecrets = ({ key, nonce }: SlateSecrets): SlateSecretBytes =>
  ofKind('slate secrets', concatBytes(scalarToBytes(key), scalarToBytes(nonce.secret)))

/** The inverse of `packSecrets`. Throws RangeError for another length, BAD_SECRET_KEY for damaged content. */
export function unpackSecrets(packed: SlateSecretBytes): SlateSecrets {
  const from = createByteReader(checkKind('slate secrets', packed))
  const key = secretKeyFromBytes(from.bytes(32, 'slate key'))
  const secret: Scalar = secretKeyFromBytes(from.bytes(32, 'slate nonce'))
  from.end('slate secrets')
  return { key, nonce: { secret, public: compressedPublicKey(secret) } }
}

/** The public part of the secrets, without a signature. */
export const participantOf = ({ key, nonce }: SlateSecrets): Participant => ({
  excess: compressedPublicKey(key),
  nonce: nonce.public,
})

/** Sums over all participants, and the kernel message they sign. */
export interface SigningSession {
  readonly keySum: PublicKey
  readonly nonceSum: PublicKey
  readonly message: Uint8Array
}

/** Throws POINT_AT_INFINITY if keys or nonces cancel, TX_INVALID for invalid features of the slate. */
export function openSigningSession(slate: Slate, participants: readonly Participant[]): SigningSession {
  return {
    keySum: sumPublicKeys(participants.map(({ excess }) => excess)),
    nonceSum: sumPublicKeys(participants.map(({ nonce }) => nonce)),
    message: kernelMessage(featuresOfSlate(slate)),
  }
}

/** The kernel excess of the session, 33 bytes starting 08 or 09. */
export const excessOf = ({ keySum }: SigningSession): Commitment => publicKeyToCommitment(keySum)

/** This participant with its partial signature; `own` is its `participantOf`, which costs a multiplication. */
export function signedParticipant(
  { key, nonce }: SlateSecrets,
  session: SigningSession,
  own: Participant = participantOf({ key, nonce }),
): Participant {
  const part = signPartial({ secretKey: key, secretNonce: nonce.secret, publicNonce: nonce.public, ...session })
  return { ...own, part }
}

/** Whether a participant has a valid partial signature. */
export const hasSigned = ({ excess, part }: Participant, session: SigningSession): boolean =>
  part !== undefined && verifyPartial({ signature: part, publicKey: excess, ...session })

/** The final kernel. Throws TX_INVALID if a signature is missing. */
export function sealKernel(slate: Slate, participants: readonly Participant[], session: SigningSession): Kernel {
  const parts = participants.map(({ part }) => {
    if (!part) throw txInvalid('a participant has not signed')
    return part
  })
  const signature = addSignatures(parts, session.nonceSum)
  return { features: featuresOfSlate(slate), excess: excessOf(session), signature }
}

/** The offset after one participant's step: off - key - inputs + outputs, 32 bytes. */
export function stepOffset(
  offset: Offset,
  {
    key,
    inputs,
    outputs,
  }: {
    readonly key: SecretKey
    readonly inputs: readonly BlindingFactor[]
    readonly outputs: readonly BlindingFactor[]
  },
): Offset {
  return scalarToBytes(blindSum([scalarFromBytes(offset), ...outputs], [key, ...inputs]))
}

// Key and nonce of one participant, bound to what they sign. A virtual machine that resumes twice from one snapshot repeats its random
// bytes, and one nonce under two signatures reveals the key. The secrets are therefore an HMAC of the random bytes and of a digest of
// everything that is decided when they are drawn: equal secrets only ever belong to equal messages.
const LABEL = 'grinpay slate secrets 1'
/** A draw is outside 1 … n-1 with probability 2^-128. */
const MOST_DRAWS = 8

export interface SecretSource {
  /** Absent: the secrets are as good as the random bytes alone. */
  readonly keychain?: Keychain
  readonly random: RandomBytes
}

/**
 * Secrets for the participant that writes a slate in the state `purpose`; `digest` is 32 bytes. Key and nonce are
 * HMAC-SHA256(K, "S1 key N" or "S1 nonce N" || 32 random bytes || digest), N counting draws from 0, with K = HKDF-SHA256 of the root key,
 * or the label itself without a keychain.
 */
export function boundSecrets({ keychain, random }: SecretSource, purpose: string, digest: Uint8Array): SlateSecrets {
  const key = keychain?.subkey(LABEL) ?? utf8(LABEL)
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
