// Errors of a received slate. Texts name the field and quote at most 24 safe characters of a value.
import { defineError, GrinpayError } from '../../lib/errors.js'

/**
 * The slate cannot be read: `where` is the field, `why` the fault.
 * @public the page of errors is made from the catalogues
 */
export const slateInvalid = defineError('SLATE_INVALID', {
  status: 422,
  text: (why: string) => `not a readable slate: ${why}`,
  hint: "make a new slatepack in the payer's wallet",
})

/** Specification: grin-wallet, 2.1, only slate version 4 is spoken here. */
export const slateVersionUnsupported = defineError('SLATE_VERSION_UNSUPPORTED', {
  status: 422,
  text: (version: number) =>
    `slate version ${version} is not supported, only version 4${version < 4 ? ' (grin-wallet 4.0 or later)' : ''}`,
  hint: "update the payer's wallet",
})

/** At most 24 characters of an untrusted text, with unsafe characters replaced. */
export const quote = (text: string): string => `"${text.slice(0, 24).replace(/[^\x21-\x7e]|["<>&\\]/g, '?')}"`

/** Runs a reader and turns its RangeError into `slateInvalid`. */
export function readingSlate<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) throw slateInvalid(error.message)
    if (error instanceof GrinpayError && error.code.startsWith('SLATE_')) throw error
    if (error instanceof GrinpayError) throw slateInvalid(error.message)
    throw error
  }
}
