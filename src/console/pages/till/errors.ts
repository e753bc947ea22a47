// What the till's pages do not find.
import { defineError } from '../../../lib/errors.js'

export const noSuchRecord = defineError('CONSOLE_NO_RECORD', {
  status: 404,
  text: (what: 'invoice' | 'payment' | 'webhook event') => `there is no such ${what}`,
  hint: 'look into the list',
})
