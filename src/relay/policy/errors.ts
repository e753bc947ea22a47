import { defineError } from '../../lib/errors.js'

export const listEntryInvalid = defineError('LIST_ENTRY_INVALID', {
  status: 400,
  text: (entry: string, what: string) => `"${entry}" is no ${what}`,
  hint: 'give it whole, as it stands in the event or in the log',
})

export const listFull = defineError('LIST_FULL', {
  status: 400,
  text: (most: number) => `the list has ${most} entries, which is all it takes`,
  hint: 'remove some first, or refuse by another rule: a network instead of addresses, a list of writers instead of bans',
})
