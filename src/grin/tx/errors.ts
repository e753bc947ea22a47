import { defineError } from '../../lib/errors.js'

/** A received transaction, kernel or fee field cannot be read or built. */
export const txInvalid = defineError('TX_INVALID', {
  status: 422,
  text: (why: string) => `not a transaction: ${why}`,
  hint: "make a new slatepack in the payer's wallet",
})
