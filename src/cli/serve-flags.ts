// What the commands that run a daemon share.
import { Flags } from '@oclif/core'

export const serveFlags = {
  check: Flags.boolean({ description: 'only load and check the settings' }),
  'log-level': Flags.option({
    options: ['debug', 'info', 'warn', 'error'] as const,
    default: 'info',
    description: 'how much is logged',
  })(),
}
