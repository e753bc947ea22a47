import { Flags } from '@oclif/core'
import { BaseCommand, daemonFlag, openBackupSettings, settingsFlag } from '../../cli/index.js'
import type { BackupView } from '../../daemons/backup.js'

export default class BackupCreate extends BaseCommand {
  static override summary = 'one archive of everything a daemon keeps, while it runs or not'
  static override description =
    'Databases are copied as of one moment, and the daemon goes on meanwhile. Beside them: the sealed seed and the identity of a till, the lists of a relay, and the settings, without secrets by default. The archive is a tar file (mode 0600) that appears under its name when it is whole, and never in the place of another; with --encrypt-to only the holder of that age key opens it. What is not in it is listed. The seed words are never in it: keep them on paper.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --out /var/backups/grinpay',
    '<%= config.bin %> <%= command.id %> --daemon relay --out /var/backups/grinpay --encrypt-to age1… --json',
  ]
  static override enableJsonFlag = true
  static override flags = {
    daemon: daemonFlag(),
    settings: settingsFlag('settings of the till or the authority (or GRINPAY_ENV_FILE)'),
    config: Flags.string({ description: 'settings of the relay (or RELAY_CONFIG_FILE)', helpValue: 'FILE' }),
    db: Flags.string({
      description: 'folder of the relay’s database, instead of the one of its settings',
      helpValue: 'DIR',
    }),
    out: Flags.string({
      description: 'folder of the archive; made when it is missing',
      default: '.',
      helpValue: 'DIR',
    }),
    'encrypt-to': Flags.string({ description: 'encrypt to this age recipient', helpValue: 'age1…' }),
    'with-secrets': Flags.boolean({
      description: 'with tokens and passwords too: opening it gives access to the money',
      default: false,
    }),
  }

  async run(): Promise<BackupView> {
    const { flags } = await this.parse(BackupCreate)
    const { backupSettings, requireOwnFile } = await openBackupSettings()
    const settings = backupSettings(flags)
    const { createBackup } = await import('../../daemons/backup.js')
    const done = await this.waiting('copying', () =>
      createBackup({
        settings,
        out: flags.out,
        recipient: flags['encrypt-to'],
        withSecrets: flags['with-secrets'],
        version: this.config.version,
        mayUse: requireOwnFile,
      }),
    )
    this.log(done.file)
    this.say(`${done.bytes} bytes, ${done.files.length} files of ${done.daemon}${done.encrypted ? ', encrypted' : ''}`)
    if (flags['with-secrets'] && !done.encrypted)
      this.say('it holds secrets and is not encrypted: whoever reads it has the money; use --encrypt-to')
    for (const left of done.left_out) this.say(`not in it: ${left}`)
    this.say(`next: grinpay backup verify ${done.file}`)
    return done
  }
}
