// Which daemon a command is about.
import { Flags } from '@oclif/core'

/** `--daemon pay` or `--daemon nameauth`; undefined: what the settings tell. */
export const daemonFlag = Flags.option({
  options: ['pay', 'nameauth'] as const,
  description: 'the till or the name authority; without it the one whose settings are there, the till first',
})
