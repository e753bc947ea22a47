import { Flags } from '@oclif/core'
import { CONSOLE_ROLES, ConsoleCommand, consoleName, examplesOf } from '../../cli/index.js'

export default class ConsoleOpen extends ConsoleCommand {
  static override summary = 'print a link that signs in to the console'
  static override description = 'The link works once, within a minute, for the first browser that opens it.'
  static override examples = examplesOf('', '--role cashier --name "counter 2"')
  static override flags = {
    role: Flags.option({
      options: CONSOLE_ROLES,
      default: 'operator' as const,
      description: 'what the person may do',
    })(),
    name: Flags.string({ description: 'who signs in, for the audit log; default: the role', helpValue: 'NAME' }),
  }

  async run() {
    const { flags } = await this.parse(ConsoleOpen)
    const { role } = flags
    const name = consoleName(flags.name ?? role)
    const place = await this.consoleSettings(flags)
    const { makeSignInLink } = await import('../../daemons/console-admin.js')
    const link = await makeSignInLink(place, { name, role })
    this.log(link.url)
    this.say('open it within a minute; it works once')
    if (place.tunnel !== null) this.say(`from another machine, first: ${place.tunnel}`)
    return link
  }
}
