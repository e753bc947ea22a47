// Which daemon a command is about.
import { Flags } from '@oclif/core'

/** `--daemon pay`, `nameauth` or `relay`; undefined: what the settings tell. */
export const daemonFlag = Flags.option({
  options: ['pay', 'nameauth', 'relay'] as const,
  description:
    'the till, the name authority or the relay; without it the till or the authority, whose settings are there',
})
