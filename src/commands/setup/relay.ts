import { Flags } from '@oclif/core'
import { answerFlag, SetupCommand, setupFlags } from '../../cli/index.js'

/** One flag per question; the key in an answers file is the same with underscores. */
const ANSWER_FLAGS = {
  'relay-url': answerFlag('public address of the relay; a host alone stands for wss://', 'URL'),
  name: answerFlag('its name in the relay document (NIP-11) and on its page', 'TEXT'),
  description: answerFlag('one line about it', 'TEXT'),
  contact: answerFlag('how to reach the operator, such as mailto:relay@example.com', 'TEXT'),
  bind: answerFlag('where to listen (127.0.0.1:7777)', 'HOST:PORT'),
  'data-dir': answerFlag('folder for the database', 'DIR'),
  authority: Flags.string({
    description:
      'who answers for names: no authority, this process, a name authority on this machine, or one elsewhere of which this host carries the document alone',
    options: ['none', 'in-process', 'beside', 'elsewhere'],
    helpGroup: 'ANSWERS',
  }),
  domain: answerFlag('with --authority in-process: what stands behind the @ (the host of the relay)', 'HOST'),
  'authority-url': answerFlag('with --authority beside or elsewhere: its address (http://127.0.0.1:8191)', 'URL'),
  profile: Flags.string({
    description:
      'who may publish: payments (no public notes), members (public notes of listed keys), everybody (every kind from anyone; set limits against spam)',
    options: ['payments', 'members', 'everybody'],
    helpGroup: 'ANSWERS',
  }),
  'note-authors': answerFlag('with --profile members: who may publish notes and articles, npubs with commas', 'KEYS'),
  'private-wraps': Flags.string({
    description: 'whether gift wraps are given to their recipients only (NIP-42)',
    options: ['no', 'yes'],
    helpGroup: 'ANSWERS',
  }),
  'keep-days': answerFlag('days after which events go, or forever; gift wraps always stay', 'DAYS'),
  admins: answerFlag('who may manage the relay over HTTP (NIP-86): npubs with commas, or none', 'KEYS'),
  proxy: Flags.string({
    description: 'the proxy to write a site for',
    options: ['caddy', 'nginx', 'none'],
    helpGroup: 'ANSWERS',
  }),
}

export default class SetupRelay extends SetupCommand {
  static override summary = 'set up a Nostr relay: settings, systemd unit, proxy'
  static override description =
    'Asks, shows a plan, then writes everything or nothing. Writes RELAY_CONFIG_FILE, else /etc/grinpay/relay.toml as root, else ~/.grinpay/relay.toml. --reconfigure changes answers and keeps every other setting of the file.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --relay-url wss://relay.example --yes',
    '<%= config.bin %> <%= command.id %> --answers answers.json --yes --dry-run',
    '<%= config.bin %> <%= command.id %> --reconfigure --keep-days 365 --yes',
  ]
  static override flags = {
    ...ANSWER_FLAGS,
    ...setupFlags('relay', 'host, certificate, port and name authority'),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SetupRelay)
    const wizard = await import('../../wizard/index.js')
    const filed = flags.answers === undefined ? {} : wizard.parseRelayAnswers(wizard.readInput(flags.answers))
    const { said, isInteractive, options } = this.setupOf(ANSWER_FLAGS, flags)
    await wizard.setupRelay({
      ...options,
      given: { ...filed, ...said },
      surroundings: wizard.openEnvironment(),
      terminal: isInteractive ? wizard.createSetupTerminal() : undefined,
    })
  }
}
