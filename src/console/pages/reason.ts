// The reason that an operator gives for a change, by the rule of the command line: one line that is what it looks like.
import type { GrinpayError } from '../../lib/errors.js'
import { plainText } from '../../lib/plain-text.js'
import type { ActionRequest, Field } from '../area.js'
import { badField } from '../errors.js'

export const LONGEST_REASON = 200
export const REASON: Field = { max: LONGEST_REASON }

/** `missing`: the refusal where there is none. Throws it, and CONSOLE_FIELD. */
export function reasonOf({ reason = '' }: ActionRequest['form'], missing: () => GrinpayError): string {
  if (reason === '') throw missing()
  if (plainText(reason) !== reason) throw badField('the reason must be one line without hidden characters')
  return reason
}
