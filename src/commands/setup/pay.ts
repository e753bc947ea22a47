import { Flags } from '@oclif/core'
import { answerFlagsOf, examplesOf, SetupCommand, setupFlags, terminalWidth } from '../../cli/index.js'
import { PAY_QUESTIONS } from '../../wizard/questions.js'

const { 'skip-checks': skipChecks, ...COMMON } = setupFlags('till', 'host, port, nodes and relays', {
  prefix: 'put everything under this folder (default: the machine for root, ~/.grinpay)',
  yes: 'ask nothing, write the plan',
})

export default class SetupPay extends SetupCommand {
  static override summary = 'set up a till: settings, tokens, wallet, systemd unit'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. --reconfigure changes answers and keeps seed, password and tokens.'
  static override examples = examplesOf(
    '',
    '--answers answers.json --yes',
    '--public-url https://pay.myshop.example --words-out words.txt --prefix ./till --dry-run',
    '--reconfigure --node-url https://main.gri.mw',
  )
  static override flags = {
    ...answerFlagsOf(PAY_QUESTIONS),
    ...COMMON,
    'rotate-tokens': Flags.boolean({
      description: 'generate new tokens and a new webhook secret',
      dependsOn: ['reconfigure'],
    }),
    'skip-checks': skipChecks,
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupPay)
    const wizard = await import('../../wizard/index.js')
    const { said, isInteractive, options } = this.setupOf(PAY_QUESTIONS, flags)
    await wizard.setupPay({
      ...options,
      given: wizard.givenAnswers(PAY_QUESTIONS, flags.answers, said),
      prefix: flags.prefix ?? wizard.defaultPrefix(),
      rotateTokens: flags['rotate-tokens'],
      random: wizard.systemRandom,
      terminal: isInteractive ? wizard.createTerminal() : undefined,
      canShowWords: terminalWidth() !== undefined && !flags.quiet,
    })
  }
}
