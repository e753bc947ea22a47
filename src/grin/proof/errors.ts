import { defineError } from '../../lib/errors.js'

export const proofInvalid = defineError('PROOF_INVALID', {
  status: 422,
  text: (why: string) => `not a payment proof: ${why}`,
  hint: 'ask the payer to export the proof again',
})

// wire: the two texts of grin-wallet's verify_proof, word for word.
export const recipientSignatureInvalid = defineError('PROOF_RECIPIENT_SIGNATURE', {
  status: 422,
  text: () => 'Invalid recipient signature',
  hint: 'the proof was not made for this address, or was changed',
})

export const senderSignatureInvalid = defineError('PROOF_SENDER_SIGNATURE', {
  status: 422,
  text: () => 'Invalid sender signature',
  hint: 'the proof was not made by this payer, or was changed',
})
