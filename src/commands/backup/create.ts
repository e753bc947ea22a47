import { Flags } from '@oclif/core'
import { BaseCommand, daemonFlag, examplesOf, openSettings, outputFile, settingsFlag, usage } from '../../cli/index.js'
import type { BackupView } from '../../daemons/backup.js'

export default class BackupCreate extends BaseCommand {
  static override summary = 'back up everything a daemon keeps, while it runs or not'
  static override description =
    "Contains a consistent copy of the databases, a till's sealed seed and identity, a relay's lists, and the settings without secrets. Never contains the seed words: keep them on paper. Lists what it left out. The archive is a tar file (mode 0600), appears only when complete and overwrites nothing."
  static override examples = examplesOf(
    '--out /var/backups/grinpay',
    '--daemon relay --out /var/backups/grinpay --encrypt-to age1… --json',
  )
  static override enableJsonFlag = true
  static override flags = {
    daemon: daemonFlag(),
    settings: settingsFlag('settings of the daemon (or GRINPAY_ENV_FILE, of the relay RELAY_CONFIG_FILE)'),
    config: Flags.string({ description: 'older name of --settings of a relay', helpValue: 'FILE', hidden: true }),
    db: Flags.string({
      description: 'folder of the relay’s database, instead of the one of its settings',
      helpValue: 'DIR',
    }),
    out: Flags.string({
      description: 'folder for the archive, created if missing; - for standard output',
      default: '.',
      helpValue: 'DIR',
    }),
    'encrypt-to': Flags.string({ description: 'encrypt to this age recipient', helpValue: 'age1…' }),
    'with-secrets': Flags.boolean({
      description: 'include tokens and passwords: the archive then gives access to the money',
      default: false,
    }),
    'without-rows': Flags.boolean({
      description: 'leave out rows in PostgreSQL, where the database server has its own backup',
      default: false,
    }),
  }

  async run(): Promise<BackupView> {
    const { flags } = await this.parse(BackupCreate)
    const { config, ...given } = flags
    if (config !== undefined && flags.daemon !== 'relay') throw usage('--config belongs to --daemon relay')
    const { backupSettings, requireOwnFile } = await openSettings()
    const out = outputFile(flags.out)
    if (out === undefined && (this.jsonEnabled() || process.stdout.isTTY === true))
      throw usage('the archive goes to standard output: leave --json out, and send it to a file or a program')
    const settings = backupSettings({ ...given, settings: flags.settings ?? config })
    const { createBackup, sendBackup } = await import('../../daemons/backup.js')
    const done = await this.waiting('copying', () =>
      (out === undefined ? sendBackup : createBackup)({
        settings,
        out: out ?? '',
        recipient: flags['encrypt-to'],
        withSecrets: flags['with-secrets'],
        withoutRows: flags['without-rows'],
        version: this.config.version,
        mayUse: requireOwnFile,
      }),
    )
    if (out !== undefined) this.log(done.file)
    this.say(`${done.bytes} bytes, ${done.files.length} files of ${done.daemon}${done.encrypted ? ', encrypted' : ''}`)
    if (flags['with-secrets'] && !done.encrypted)
      this.say('the archive contains secrets and is not encrypted: it gives access to the money; use --encrypt-to')
    for (const left of done.left_out) this.say(`not in it: ${left}`)
    if (out !== undefined) this.say(`next: grinpay backup verify ${done.file}`)
    return done
  }
}
