// `grinpay setup` alone: which of the three?
import { select } from '@inquirer/prompts'
import { DAEMON_NAMES, type DaemonName } from '../lib/daemon-names.js'
import { restoringTerminal } from '../system/index.js'
import { orEnd } from './end-of-input.js'

const CHOICES: Readonly<Record<DaemonName, string>> = {
  pay: 'a till that takes Grin for a shop',
  nameauth: 'names for Nostr keys (NIP-05)',
  relay: 'a Nostr relay',
}

/** Undefined at the end of input. Ctrl-C throws the prompt's own error. */
export const askWhichSetup = (): Promise<DaemonName | undefined> =>
  orEnd((context) => {
    const choices = DAEMON_NAMES.map((value) => ({ value, name: `${value}: ${CHOICES[value]}` }))
    return restoringTerminal(select<DaemonName>)({ message: 'What shall be set up?', choices }, context)
  })
