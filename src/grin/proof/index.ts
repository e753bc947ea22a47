export {
  checkPaymentProof,
  completeProof,
  type PaymentProof,
  type PaymentProofJson,
  parsePaymentProof,
  paymentProofJson,
  receiverProofJson,
} from './exported.js'
export {
  makeReceiverProof,
  type ProofContent,
  paymentProofMessage,
  type SignedReceiverProof,
  verifyReceiverProof,
} from './message.js'
