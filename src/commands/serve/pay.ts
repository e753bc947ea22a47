import { Flags } from '@oclif/core'
import { BaseCommand, examplesOf, openSettings, serveFlags, settingsFlag } from '../../cli/index.js'
import { noticeLine } from '../../lib/notice-line.js'

export default class ServePay extends BaseCommand {
  static override summary = 'run the till in the foreground'
  static override description =
    'Reads settings from the environment, from --settings, or from the file that "grinpay setup pay" wrote. Logs JSON unless stderr is a terminal.'
  static override examples = examplesOf('', '--settings /etc/grinpay/pay.env', '--check')
  static override flags = {
    settings: settingsFlag('settings (or GRINPAY_ENV_FILE)'),
    ...serveFlags,
    migrate: Flags.boolean({ description: 'with PAY_DATABASE_URL: first create or update the tables' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(ServePay)
    const { loadTillSettings, openDaemonLog, startableNotices } = await openSettings()
    if (flags.check) {
      const { startProblems } = await import('../../daemons/start-files.js')
      for (const notice of startableNotices('pay', flags, startProblems)) this.note(noticeLine(notice))
      return this.log('settings: ok')
    }
    const { config, summary } = loadTillSettings(flags.settings)
    const log = await openDaemonLog(flags['log-level'])
    log.info({ version: this.config.version, ...summary }, 'settings')
    const { servePay } = await import('../../daemons/pay.js')
    const reread = () => loadTillSettings(flags.settings).config
    await servePay(config, { version: this.config.version, log, reread, migrate: flags.migrate })
  }
}
