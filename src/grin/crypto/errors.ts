// What the cryptography refuses. No text ever contains a secret.
import { defineError } from '../../lib/errors.js'

export const badLength = defineError('BAD_LENGTH', {
  status: 400,
  text: (what: string, need: number, have: number) => `${what}: need ${need} bytes, have ${have}`,
})

export const scalarTooLarge = defineError('SCALAR_TOO_LARGE', {
  status: 400,
  text: (what: string) => `${what}: not below the group order`,
})

export const badSecretKey = defineError('BAD_SECRET_KEY', {
  status: 400,
  text: (what: string) => `${what}: zero or not below the group order`,
})

export const badPoint = defineError('BAD_POINT', {
  status: 400,
  text: (what: string) => `${what}: not a point of the curve`,
})

export const pointAtInfinity = defineError('POINT_AT_INFINITY', {
  status: 400,
  text: (what: string) => `${what}: the points cancel each other`,
})

export const valueOutOfRange = defineError('AMOUNT_OUT_OF_RANGE', {
  status: 400,
  text: (value: bigint) => `amount out of range: ${value}`,
})

export const badSignature = defineError('BAD_SIGNATURE', {
  status: 400,
  text: (why: string) => `signature: ${why}`,
})

export const outputMismatch = defineError('OUTPUT_MISMATCH', {
  status: 503,
  text: () => "two computations of the wallet's own output differ; nothing was signed",
  hint: 'the payer loses nothing: cancel the send in the wallet. The receiver: restart the program, and move it to another machine if this happens again',
})
