// Payment proofs: who paid whom how much in which kernel (Grin RFC 6). The caller looks up the kernel on the chain.
export {
  checkPaymentProof,
  completeProof,
  makeReceiverProof,
  type PaymentProof,
  type PaymentProofJson,
  type ProofContent,
  parsePaymentProof,
  paymentProofJson,
  paymentProofMessage,
  type SignedReceiverProof,
  verifyReceiverProof,
} from '../grin/proof/index.js'
