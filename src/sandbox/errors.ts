// Expected failures of the sandbox.
import { defineError } from '../lib/errors.js'

export const reorgTooDeep = defineError('REORG_TOO_DEEP', {
  status: 400,
  text: (depth: number, height: number) => `cannot replace ${depth} blocks: the sandbox chain has ${height}`,
  hint: 'ask for a depth between 1 and the height of the chain',
})

export const controlRefused = defineError('CONTROL_REFUSED', {
  status: 400,
  text: (reason: string) => `the sandbox node refuses: ${reason}`,
})

export const bodyTooLarge = defineError('BODY_TOO_LARGE', {
  status: 413,
  text: (most: number) => `the body is larger than ${most} bytes`,
})
