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
