import { BaseCommand, canAsk, examplesOf, usage } from '../../cli/index.js'

export default class Setup extends BaseCommand {
  static override summary = 'set up a till, a name authority or a relay'
  static override description =
    'Asks which at a terminal; elsewhere name it. Each setup asks, shows a plan, then writes everything or nothing.'
  static override examples = examplesOf('', 'pay', 'relay --relay-url wss://relay.example --yes')

  async run(): Promise<void> {
    const { flags } = await this.parse(Setup)
    if (!canAsk(flags['no-input'])) throw usage('say what to set up: grinpay setup pay, nameauth or relay')
    const { askWhichSetup } = await import('../../wizard/index.js')
    const topic = await askWhichSetup()
    if (topic !== undefined) await this.config.runCommand(`setup:${topic}`)
  }
}
