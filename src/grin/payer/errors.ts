import { defineError } from '../../lib/errors.js'

export const notEnoughCoins = defineError('PAYER_NOT_ENOUGH', {
  status: 422,
  text: (have: bigint, need: bigint) => `the coins hold ${have} nanogrin, the payment needs ${need}`,
})

/** The receiver's reply does not match the request, so the payer signs nothing. */
export const replyRefused = defineError('PAYER_REPLY', {
  status: 422,
  text: (why: string) => `the answer was refused: ${why}`,
})

export const proofRefused = defineError('PAYER_PROOF', {
  status: 422,
  // wire: grin-wallet's words for a missing or wrong receiver signature.
  text: (why: string) => `Invalid proof signature: ${why}`,
})

export const invoiceRefused = defineError('PAYER_INVOICE', {
  status: 422,
  text: (why: string) => `the invoice was refused: ${why}`,
})
