// What the commands that run a daemon share.
import { Flags } from '@oclif/core'

export const serveFlags = {
  check: Flags.boolean({ description: 'load and check the settings, then exit' }),
  'log-level': Flags.option({
    options: ['debug', 'info', 'warn', 'error'] as const,
    default: 'info',
    description: 'log level',
  })(),
}
