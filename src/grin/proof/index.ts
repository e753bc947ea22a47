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
  paymentProofMessage,
  type SignedReceiverProof,
  verifyReceiverProof,
} from './message.js'
