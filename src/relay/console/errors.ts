// What the relay's pages refuse.
import { defineError } from '../../lib/errors.js'

export const noSuchEntry = defineError('CONSOLE_RELAY_ENTRY', {
  status: 404,
  text: () => 'this is not on the list, or not any more',
  hint: 'look at the list again',
})
export const reasonMissing = defineError('CONSOLE_RELAY_REASON', {
  status: 400,
  text: () => 'a reason is needed: it stands in the list and in the audit log',
  hint: 'go back and write one',
})
export const listsTooLong = defineError('CONSOLE_RELAY_LISTS', {
  status: 503,
  text: (file: string) => `the lists of the relay are too long to be read beside it: ${file}`,
  hint: 'use the console of the relay itself, or: grinpay relay ban --list',
})
