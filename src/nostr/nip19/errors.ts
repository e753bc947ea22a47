import { defineError } from '../../lib/errors.js'

/** Never quotes the text: it may be a secret. */
export const nostrCodeInvalid = defineError('NOSTR_CODE_INVALID', {
  status: 400,
  text: (what: string, why: string) => `not a valid ${what}: ${why}`,
  hint: 'copy the whole text, from its prefix to its last character',
})
