export { proofInvalid, recipientSignatureInvalid, senderSignatureInvalid } from './errors.js'
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
  signProof,
  verifyProof,
  verifyReceiverProof,
} from './message.js'
