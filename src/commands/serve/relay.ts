import { Flags } from '@oclif/core'
import {
  BaseCommand,
  canAsk,
  examplesOf,
  openSettings,
  serveFlags,
  settingsFlag,
  terminalWidth,
} from '../../cli/index.js'
import { noticeLine } from '../../lib/notice-line.js'

export default class ServeRelay extends BaseCommand {
  static override summary = 'run the Nostr relay in the foreground'
  static override description =
    "Reads settings from the environment and the first existing file of: --settings, RELAY_CONFIG_FILE, /etc/grinpay/relay.toml, ~/.grinpay/relay.toml, ./relay.toml. Needs none: it then listens on 127.0.0.1:7777. At a terminal with no settings it offers the setup. SIGHUP reloads the operator's lists. Logs JSON unless stderr is a terminal."
  static override examples = examplesOf('', '--settings /etc/grinpay/relay.toml', '--check')
  static override flags = {
    settings: settingsFlag('settings (or RELAY_CONFIG_FILE)', { aliases: ['config'] }),
    db: Flags.string({ description: 'folder of the database, instead of the one in the settings', helpValue: 'DIR' }),
    ...serveFlags,
    migrate: Flags.boolean({ description: 'with RELAY_LOG_URL: first create or update the tables' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ServeRelay)
    const { loadRelaySettings, openDaemonLog, startableNotices } = await openSettings()
    if (flags.check) {
      const { startProblems } = await import('../../daemons/start-files.js')
      for (const notice of startableNotices('relay', flags, startProblems)) this.note(noticeLine(notice))
      return this.log('settings: ok')
    }
    const asks = canAsk(flags['no-input'])
    const named = asks ? await this.configured(flags) : flags
    const { config, file, summary } = loadRelaySettings(named)
    const log = await openDaemonLog(flags['log-level'])
    log.info({ version: this.config.version, file, database: config.dbPath, ...summary }, 'settings')
    const { serveRelay } = await import('../../daemons/relay.js')
    await serveRelay(config, { version: this.config.version, log, migrate: flags.migrate })
  }

  /** What to start with: the file that a person just answered for, when nothing was configured. */
  private async configured(flags: { settings?: string | undefined; db?: string | undefined }) {
    const { isRelayConfigured } = await openSettings()
    if (isRelayConfigured(flags)) return flags
    const wizard = await import('../../wizard/index.js')
    const written = await wizard.firstStartRelay({
      surroundings: wizard.openEnvironment(),
      terminal: wizard.createSetupTerminal(),
      skipChecks: false,
      width: terminalWidth(),
      say: (text) => this.say(text),
    })
    return { ...flags, ...written }
  }
}
