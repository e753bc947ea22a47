// Failures of the relay's own commands.
import { defineError } from '../lib/errors.js'

export const relayUnreachable = defineError('RELAY_UNREACHABLE', {
  status: 502,
  text: (url: string, reason: string) => `no connection to ${url}: ${reason}`,
  hint: 'check the address, and that the relay runs',
})

export const syncFailed = defineError('RELAY_SYNC_FAILED', {
  status: 502,
  text: (url: string, reason: string) => `${url}: ${reason}`,
  hint: 'events transferred so far are stored; run the command again, or narrow it with --filter',
})

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
