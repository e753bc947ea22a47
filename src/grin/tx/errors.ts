import { defineError } from '../../lib/errors.js'

/** A transaction, kernel or fee field somebody sent cannot be read or built. */
export const txInvalid = defineError('TX_INVALID', {
  status: 422,
  text: (why: string) => `not a transaction: ${why}`,
  hint: "make a new slatepack in the payer's wallet",
})
