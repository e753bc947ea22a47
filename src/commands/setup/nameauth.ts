import { Flags } from '@oclif/core'
import { answerFlag, SetupCommand, setupFlags } from '../../cli/index.js'

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

export default class SetupNameauth extends SetupCommand {
  static override summary = 'set up a name authority: settings, secrets, systemd unit'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. Writes NAMEAUTH_ENV_FILE, else /etc/grinpay/nameauth.env if writable, else ./.env. --reconfigure changes answers and keeps secrets.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --domain names.example --yes',
    '<%= config.bin %> <%= command.id %> --answers answers.json --yes --dry-run',
    '<%= config.bin %> <%= command.id %> --reconfigure --pay-mode name --price-grin 2 --pay-token-file token',
  ]
  static override flags = {
    ...ANSWER_FLAGS,
    ...setupFlags('name authority', 'domain, port, till and nodes'),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupNameauth)
    const wizard = await import('../../wizard/index.js')
    const filed = flags.answers === undefined ? {} : wizard.parseNameauthAnswers(wizard.readInput(flags.answers))
    const { said, isInteractive, options } = this.setupOf(ANSWER_FLAGS, flags)
    await wizard.setupNameauth({
      ...options,
      given: { ...filed, ...said },
      surroundings: wizard.openEnvironment(),
      terminal: isInteractive ? wizard.createSetupTerminal() : undefined,
    })
  }
}
