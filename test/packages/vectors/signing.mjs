// A participant's arithmetic with recorded secrets, from public functions: the library itself draws fresh ones.
import { crypto, tx } from '@grinpay/grin'
import { scalar } from './check.mjs'

/** The kernel features that a slate asks for. */
export function featuresOf({ features, fee, lockHeight }) {
  if (features === 2) return { kind: 'height-locked', fee, lockHeight }
  return features === 3
    ? { kind: 'no-recent-duplicate', fee, relativeHeight: Number(lockHeight) }
    : { kind: 'plain', fee }
}

/** What the participants of a slate sign. */
export const sessionOf = (slate, participants) => ({
  keySum: crypto.sumPublicKeys(participants.map(({ excess }) => excess)),
  nonceSum: crypto.sumPublicKeys(participants.map(({ nonce }) => nonce)),
  message: tx.kernelMessage(featuresOf(slate)),
})

export const hasSigned = ({ excess, part }, session) =>
  crypto.verifyPartial({ signature: part, publicKey: excess, ...session })

export const participantOf = ({ sec_key, sec_nonce }) => ({
  excess: crypto.compressedPublicKey(scalar(sec_key)),
  nonce: crypto.compressedPublicKey(scalar(sec_nonce)),
})

/** This participant with its signature. */
export const signed = ({ sec_key, sec_nonce }, session) => ({
  ...participantOf({ sec_key, sec_nonce }),
  part: crypto.signPartial({ ...session, secretKey: scalar(sec_key), secretNonce: scalar(sec_nonce) }),
})

/** The offset after a participant's step. */
export const offsetAfter = (offset, { sec_key }, { inputs = [], outputs = [] }) =>
  crypto.scalarToBytes(crypto.blindSum([crypto.scalarFromBytes(offset), ...outputs], [scalar(sec_key), ...inputs]))

/** The transaction of a final slate. */
export function transactionOf(slate) {
  const session = sessionOf(slate, slate.participants)
  const parts = slate.participants.map(({ part }) => part)
  const kernel = {
    features: featuresOf(slate),
    excess: crypto.publicKeyToCommitment(session.keySum),
    signature: crypto.addSignatures(parts, session.nonceSum),
  }
  return { offset: slate.offset, ...tx.transactionBody(slate.commitments), kernels: [kernel] }
}
