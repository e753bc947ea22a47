// What the till's pages do not find.
import { defineError } from '../../lib/errors.js'

export const noSuchRecord = defineError('CONSOLE_NO_RECORD', {
  status: 404,
  text: (what: 'invoice' | 'payment' | 'webhook event') => `there is no such ${what}`,
  hint: 'look into the list',
})

export const noSuchSale = defineError('CONSOLE_NO_SALE', {
  status: 404,
  text: () => 'there is no such sale at the point of sale of this till',
  hint: 'look at the last sales of the point of sale',
})
