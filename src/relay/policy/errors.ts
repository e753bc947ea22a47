import { defineError } from '../../lib/errors.js'

export const listEntryInvalid = defineError('LIST_ENTRY_INVALID', {
  status: 400,
  text: (entry: string, what: string) => `"${entry}" is not a valid ${what}`,
  hint: 'give the whole value, as in the event or the log',
})

export const listFull = defineError('LIST_FULL', {
  status: 400,
  text: (most: number) => `the list is full: it holds ${most} entries`,
  hint: 'remove entries, or use a broader rule: a network instead of addresses, a whitelist instead of bans',
})
