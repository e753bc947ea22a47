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

export default class ServeNameauth extends BaseCommand {
  static override summary = 'run the name authority (NIP-05) in the foreground'
  static override description =
    'Reads settings from the environment and the first existing file of: --settings, NAMEAUTH_ENV_FILE, /etc/grinpay/nameauth.env, ./.env. At a terminal with no settings it offers the setup. Logs JSON unless stderr is a terminal.'
  static override examples = examplesOf('', '--settings /etc/grinpay/nameauth.env', '--check')
  static override flags = {
    settings: settingsFlag('settings (or NAMEAUTH_ENV_FILE)'),
    ...serveFlags,
    migrate: Flags.boolean({ description: 'with NAMEAUTH_DATABASE_URL: first create or update the tables' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ServeNameauth)
    const { loadNameauthSettings, openDaemonLog, startableNotices } = await openSettings()
    if (flags.check) {
      const { startProblems } = await import('../../daemons/start-files.js')
      for (const notice of startableNotices('nameauth', flags, startProblems)) this.note(noticeLine(notice))
      return this.log('settings: ok')
    }
    const asks = canAsk(flags['no-input'])
    const envFile = asks ? await this.configured(flags.settings) : flags.settings
    const { config, summary } = loadNameauthSettings(envFile)
    const log = await openDaemonLog(flags['log-level'])
    log.info({ version: this.config.version, ...summary }, 'settings')
    const { serveNameauth } = await import('../../daemons/nameauth.js')
    await serveNameauth(config, { version: this.config.version, log, migrate: flags.migrate })
  }

  /** The file to start with: the one that a person just answered for, when nothing was configured. */
  private async configured(envFile: string | undefined): Promise<string | undefined> {
    const { isNameauthConfigured } = await openSettings()
    if (isNameauthConfigured(envFile)) return envFile
    const wizard = await import('../../wizard/index.js')
    const written = await wizard.firstStartNameauth({
      envFile,
      surroundings: wizard.openEnvironment(),
      terminal: wizard.createSetupTerminal(),
      skipChecks: false,
      width: terminalWidth(),
      say: (text) => this.say(text),
    })
    return written?.envFile ?? envFile
  }
}
