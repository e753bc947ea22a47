import { BaseCommand, examplesOf, sandboxFlags } from '../../cli/index.js'
import { foreignText } from '../../lib/plain-text.js'

export default class SandboxConsole extends BaseCommand {
  static override summary = 'print a sign-in link for the console of the running sandbox'
  static override description = 'The link works once, within a minute.'
  static override examples = examplesOf('', '--json')
  static override enableJsonFlag = true
  static override flags = sandboxFlags

  async run() {
    const { flags } = await this.parse(SandboxConsole)
    const { steerSandbox } = await import('../../daemons/sandbox-control.js')
    const { network, url } = await steerSandbox('console', {}, flags['node-port'])
    this.log(foreignText(url))
    return { network, url }
  }
}
