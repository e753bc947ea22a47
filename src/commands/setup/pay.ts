import { Flags } from '@oclif/core'
import { answerFlag, SetupCommand, terminalWidth } from '../../cli/index.js'

/** One flag per question; the key in an answers file is the same with underscores. */
const ANSWER_FLAGS = {
  'public-url': answerFlag('public address of the till', 'URL'),
  shop: Flags.string({
    description: 'kind of shop',
    options: ['woocommerce', 'medusa', 'custom', 'none'],
    helpGroup: 'ANSWERS',
  }),
  'shop-url': answerFlag('address of a woocommerce or medusa shop', 'URL'),
  'webhook-url': answerFlag('where a custom shop takes webhooks', 'URL'),
  bind: answerFlag('where to listen (127.0.0.1:8080)', 'HOST:PORT'),
  chain: Flags.string({
    description: 'Grin network',
    options: ['mainnet', 'testnet', 'usernet'],
    helpGroup: 'ANSWERS',
  }),
  'node-url': answerFlag('Grin nodes, best first, with commas', 'URLS'),
  relays: answerFlag('Nostr relays, best first, with commas (wss://relay.floonet.dev,wss://offchain.pub)', 'URLS'),
  currencies: answerFlag('currencies for prices, with commas (usd)', 'LIST'),
  restart: Flags.string({
    description: 'unattended: the password is kept on this machine; manual: it is typed at every start',
    options: ['unattended', 'manual'],
    helpGroup: 'ANSWERS',
  }),
  grin1: Flags.string({
    description: 'yes: also take payments to the grin1 address; needs tor on this machine',
    options: ['no', 'yes'],
    helpGroup: 'ANSWERS',
  }),
  'password-file': answerFlag('file with the wallet password, - for stdin', 'FILE'),
  'mnemonic-file': answerFlag('file with existing seed words, - for stdin', 'FILE'),
  'words-out': answerFlag('write new seed words to this file if there is no terminal', 'FILE'),
}

export default class SetupPay extends SetupCommand {
  static override summary = 'set up a till: settings, tokens, wallet, systemd unit'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. --reconfigure changes answers and keeps seed, password and tokens.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --answers answers.json --yes',
    '<%= config.bin %> <%= command.id %> --public-url https://pay.myshop.example --words-out words.txt --prefix ./till --dry-run',
    '<%= config.bin %> <%= command.id %> --reconfigure --node-url https://main.gri.mw',
  ]
  static override flags = {
    ...ANSWER_FLAGS,
    answers: Flags.string({
      description: 'JSON file with answers, - for stdin; flags take precedence',
      helpValue: 'FILE',
    }),
    prefix: Flags.string({
      description: 'put everything under this folder (default: the machine for root, ~/.grinpay)',
      helpValue: 'DIR',
    }),
    yes: Flags.boolean({ description: 'ask nothing, write the plan' }),
    'dry-run': Flags.boolean({ description: 'show what would happen, change nothing' }),
    reconfigure: Flags.boolean({ description: 'change an existing till' }),
    'rotate-tokens': Flags.boolean({
      description: 'generate new tokens and a new webhook secret',
      dependsOn: ['reconfigure'],
    }),
    'skip-checks': Flags.boolean({ description: 'skip the checks of host, port, nodes and relays' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupPay)
    const wizard = await import('../../wizard/index.js')
    const filed = flags.answers === undefined ? {} : wizard.parsePayAnswers(wizard.readInput(flags.answers))
    const { said, isInteractive, options } = this.setupOf(ANSWER_FLAGS, flags)
    await wizard.setupPay({
      ...options,
      given: { ...filed, ...said },
      prefix: flags.prefix ?? wizard.defaultPrefix(),
      rotateTokens: flags['rotate-tokens'],
      random: wizard.systemRandom,
      terminal: isInteractive ? wizard.createTerminal() : undefined,
      canShowWords: terminalWidth() !== undefined && !flags.quiet,
    })
  }
}
