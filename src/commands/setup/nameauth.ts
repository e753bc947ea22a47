import { answerFlagsOf, examplesOf, SetupCommand, setupFlags } from '../../cli/index.js'
import { NAMEAUTH_QUESTIONS } from '../../wizard/questions.js'

export default class SetupNameauth extends SetupCommand {
  static override summary = 'set up a name authority: settings, secrets, systemd unit'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. Writes NAMEAUTH_ENV_FILE, else /etc/grinpay/nameauth.env if writable, else ./.env. --reconfigure changes answers and keeps secrets.'
  static override examples = examplesOf(
    '',
    '--domain names.example --yes',
    '--answers answers.json --yes --dry-run',
    '--reconfigure --pay-mode name --price-grin 2 --pay-token-file token',
  )
  static override flags = {
    ...answerFlagsOf(NAMEAUTH_QUESTIONS),
    ...setupFlags('name authority', 'domain, port, till and nodes'),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupNameauth)
    const wizard = await import('../../wizard/index.js')
    const { said, isInteractive, options } = this.setupOf(NAMEAUTH_QUESTIONS, flags)
    await wizard.setupNameauth({
      ...options,
      given: wizard.givenAnswers(NAMEAUTH_QUESTIONS, flags.answers, said),
      surroundings: wizard.openEnvironment(),
      terminal: isInteractive ? wizard.createSetupTerminal() : undefined,
    })
  }
}
