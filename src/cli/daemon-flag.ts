// Which daemon a command is about.
import { Flags } from '@oclif/core'

/** `--daemon pay`, `nameauth` or `relay`; undefined: what the settings tell. */
export const daemonFlag = Flags.option({
  options: ['pay', 'nameauth', 'relay'] as const,
  description:
    'the till, the name authority or the relay; without it the till or the authority, whose settings are there',
})

/** The same for commands that know nothing of the relay. */
export const tillOrNamesFlag = Flags.option({
  options: ['pay', 'nameauth'] as const,
  description: 'the till or the name authority; without it the one whose settings are there, the till first',
})
