// Errors of reading a slatepack, one code for each reason. No text quotes the message.
import { defineError } from '../../lib/errors.js'

const COPY = 'copy the whole slatepack, from BEGINSLATEPACK. to ENDSLATEPACK.'

export const badHeader = defineError('SLATEPACK_BAD_HEADER', {
  status: 422,
  text: () => 'there is no slatepack in this text: it does not contain "BEGINSLATEPACK."',
  hint: COPY,
})

export const badFooter = defineError('SLATEPACK_BAD_FOOTER', {
  status: 422,
  text: () => 'the slatepack has no end: ". ENDSLATEPACK." is missing or damaged',
  hint: COPY,
})

export const badBase58 = defineError('SLATEPACK_BAD_BASE58', {
  status: 422,
  text: () => 'the slatepack contains an invalid character',
  hint: COPY,
})

export const tooShort = defineError('SLATEPACK_TOO_SHORT', {
  status: 422,
  text: () => 'the slatepack is empty or far too short',
  hint: COPY,
})

export const badCheck = defineError('SLATEPACK_BAD_CHECK', {
  status: 422,
  text: () => 'the slatepack was damaged on the way: its check bytes do not match',
  hint: COPY,
})

export const tooLong = defineError('SLATEPACK_TOO_LONG', {
  status: 422,
  text: (limit: number) => `the slatepack is longer than ${limit} characters`,
  hint: "pay from fewer coins: consolidate them in the payer's wallet first",
})

export const twoSlatepacks = defineError('SLATEPACK_TWO', {
  status: 422,
  text: () => 'this text contains more than one slatepack',
  hint: 'send them one at a time',
})

export const wrongChain = defineError('SLATEPACK_WRONG_CHAIN', {
  status: 422,
  text: (expected: string) => `this slatepack comes from another chain: addresses here start with "${expected}1"`,
  hint: "check which network the payer's wallet is on",
})

export const cannotDecrypt = defineError('SLATEPACK_CANNOT_DECRYPT', {
  status: 422,
  text: () => 'this slatepack is encrypted, but not to this address',
  hint: 'send to the address shown here, or make a slatepack without an address',
})

export const badMode = defineError('SLATEPACK_BAD_MODE', {
  status: 422,
  text: (mode: number) => `slatepack mode ${mode} is unknown`,
  hint: "update the payer's wallet",
})

export const slatepackInvalid = defineError('SLATEPACK_INVALID', {
  status: 422,
  text: (why: string) => `the slatepack cannot be read: ${why}`,
  hint: "make a new slatepack in the payer's wallet",
})

export const addressInvalid = defineError('ADDRESS_INVALID', {
  status: 422,
  text: (why: string) => `not a slatepack address: ${why}`,
  hint: 'copy the whole address; it begins with grin1, or tgrin1 on a test network',
})
