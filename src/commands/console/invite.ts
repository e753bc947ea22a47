import { Args, Flags } from '@oclif/core'
import { CONSOLE_ROLES, ConsoleCommand, consoleName, examplesOf } from '../../cli/index.js'

export default class ConsoleInvite extends ConsoleCommand {
  static override summary = 'print an invitation to the console: a link that makes a passkey'
  static override description =
    'The link works once, within a day. From then on the person signs in with the passkey. For a person with a passkey it adds another one.'
  static override examples = examplesOf('anna --role cashier', 'ben --role viewer --json')
  static override args = { name: Args.string({ required: true, description: 'who is invited' }) }
  static override flags = {
    role: Flags.option({ options: CONSOLE_ROLES, required: true, description: 'what the person may do' })(),
  }

  async run() {
    const { args, flags } = await this.parse(ConsoleInvite)
    const name = consoleName(args.name)
    const place = await this.consoleSettings(flags)
    const { makeInvitation } = await import('../../daemons/console-admin.js')
    const invitation = await makeInvitation(place, { name, role: flags.role })
    this.log(invitation.url)
    this.say('hand it over in private; it works once, within a day')
    return invitation
  }
}
