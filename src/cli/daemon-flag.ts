// Which daemon a command is about.
import { Flags } from '@oclif/core'

/** `--daemon pay`, `nameauth` or `relay`; undefined: what the settings tell. */
export const daemonFlag = Flags.option({
  options: ['pay', 'nameauth', 'relay'] as const,
  description: 'the daemon; default: the till or name authority with settings here',
})
