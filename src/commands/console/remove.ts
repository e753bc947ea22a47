import { Args } from '@oclif/core'
import { ConsoleCommand, examplesOf } from '../../cli/index.js'

export default class ConsoleRemove extends ConsoleCommand {
  static override summary = 'remove a person from the console'
  static override description =
    'Deletes the passkeys, voids open links of this name, and ends the sessions: at their next request they are signed out.'
  static override examples = examplesOf('anna', 'ben --json')
  static override args = { name: Args.string({ required: true, description: 'as "console people" lists it' }) }

  async run() {
    const { args, flags } = await this.parse(ConsoleRemove)
    const { path } = await this.consoleSettings(flags)
    const { removePerson } = await import('../../daemons/console-admin.js')
    await removePerson(path, args.name)
    this.log(`removed ${args.name}`)
    return { name: args.name }
  }
}
