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
  proofMessage,
  type ReceiverProof,
  verifyReceiverProof,
} from './message.js'
