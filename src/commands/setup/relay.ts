import { answerFlagsOf, examplesOf, SetupCommand, setupFlags } from '../../cli/index.js'
import { RELAY_QUESTIONS } from '../../wizard/questions.js'

export default class SetupRelay extends SetupCommand {
  static override summary = 'set up a Nostr relay: settings, systemd unit, proxy'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. Writes RELAY_CONFIG_FILE, else /etc/grinpay/relay.toml as root, else ~/.grinpay/relay.toml. --reconfigure changes answers and keeps every other setting of the file.'
  static override examples = examplesOf(
    '',
    '--relay-url wss://relay.example --yes',
    '--answers answers.json --yes --dry-run',
    '--reconfigure --keep-days 365 --yes',
  )
  static override flags = {
    ...answerFlagsOf(RELAY_QUESTIONS),
    ...setupFlags('relay', 'host, certificate, port and name authority'),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupRelay)
    const wizard = await import('../../wizard/index.js')
    const { said, isInteractive, options } = this.setupOf(RELAY_QUESTIONS, flags)
    await wizard.setupRelay({
      ...options,
      given: wizard.givenAnswers(RELAY_QUESTIONS, flags.answers, said),
      surroundings: wizard.openEnvironment(),
      terminal: isInteractive ? wizard.createSetupTerminal() : undefined,
    })
  }
}
