import { Flags } from '@oclif/core'
import { answerFlag, answersIn, BaseCommand, canAsk, programOf, terminalWidth } from '../../cli/index.js'

/** One flag per question; the key in an answers file is the same with underscores. */
const ANSWER_FLAGS = {
  domain: answerFlag('what stands behind the @ of every name', 'HOST'),
  relays: answerFlag('relays that name documents advertise, with commas (wss://<domain>)', 'URLS'),
  bind: answerFlag('where to listen (127.0.0.1:8191)', 'HOST:PORT'),
  'data-dir': answerFlag('folder for the database', 'DIR'),
  'pay-mode': Flags.string({
    description: 'what is for sale: nothing, names, or the right to write to the relay',
    options: ['off', 'name', 'write'],
    helpGroup: 'ANSWERS',
  }),
  'price-grin': answerFlag('price in GRIN (1)', 'AMOUNT'),
  'pay-url': answerFlag('address of the till that makes the invoices', 'URL'),
  'pay-token-file': answerFlag('file with the API token of the till, - for stdin', 'FILE'),
  'pay-webhook-secret-file': answerFlag('file with the webhook secret of the till, - for stdin', 'FILE'),
  transfers: Flags.string({
    description: 'whether holders may sell their names',
    options: ['no', 'yes'],
    helpGroup: 'ANSWERS',
  }),
  'node-url': answerFlag('foreign API of Grin nodes, best first, with commas', 'URLS'),
}

export default class SetupNameauth extends BaseCommand {
  static override summary = 'prepare a name authority: settings, secrets, systemd unit'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. Settings go to NAMEAUTH_ENV_FILE, else to /etc/grinpay/nameauth.env where that can be written, else to .env in this folder. Run again with --reconfigure to change answers: secrets stay.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --domain names.example --yes',
    '<%= config.bin %> <%= command.id %> --answers answers.json --yes --dry-run',
    '<%= config.bin %> <%= command.id %> --reconfigure --pay-mode name --price-grin 2 --pay-token-file token',
  ]
  static override flags = {
    ...ANSWER_FLAGS,
    answers: Flags.string({ description: 'JSON file with answers, - for stdin; flags win over it', helpValue: 'FILE' }),
    prefix: Flags.string({ description: 'put everything under this folder', helpValue: 'DIR' }),
    yes: Flags.boolean({ description: 'ask nothing and go ahead' }),
    'dry-run': Flags.boolean({ description: 'show the plan, change nothing' }),
    reconfigure: Flags.boolean({ description: 'change an existing name authority' }),
    'skip-checks': Flags.boolean({ description: 'do not look at domain, port, till and nodes' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupNameauth)
    const wizard = await import('../../wizard/index.js')
    const filed = flags.answers === undefined ? {} : wizard.parseNameauthAnswers(wizard.readInput(flags.answers))
    const said = answersIn(ANSWER_FLAGS, flags)
    const asks = canAsk(flags['no-input'] || flags.yes) && flags.answers === undefined
    await wizard.setupNameauth({
      given: { ...filed, ...said },
      prefix: flags.prefix,
      surroundings: wizard.openEnvironment(),
      dryRun: flags['dry-run'],
      reconfigure: flags.reconfigure,
      skipChecks: flags['skip-checks'],
      program: programOf(this.config.root),
      terminal: asks ? wizard.createNameauthTerminal() : undefined,
      isUnattended: flags.yes || flags.answers !== undefined || Object.keys(said).length > 0,
      width: terminalWidth(),
      say: (text) => this.say(text),
      tell: (text) => this.log(text),
    })
  }
}
