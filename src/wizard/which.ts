// `grinpay setup` alone: which of the three?
import { select } from '@inquirer/prompts'
import { orEnd } from './end-of-input.js'

/** Undefined at the end of input. Ctrl-C throws the prompt's own error. */
export const askWhichSetup = (): Promise<'pay' | 'nameauth' | 'relay' | undefined> =>
  orEnd((context) =>
    select(
      {
        message: 'What shall be set up?',
        choices: [
          { value: 'pay', name: 'pay: a till that takes Grin for a shop' },
          { value: 'nameauth', name: 'nameauth: names for Nostr keys (NIP-05)' },
          { value: 'relay', name: 'relay: a Nostr relay' },
        ] as const,
      },
      context,
    ),
  )
