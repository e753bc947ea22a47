export {
  checkPaymentProof,
  completeProof,
  type PaymentProof,
  parsePaymentProof,
  paymentProofJson,
  receiverProofJson,
} from './exported.js'
export {
  makeReceiverProof,
  type ProofContent,
  proofMessage,
  type ReceiverProof,
  verifyReceiverProof,
} from './message.js'
