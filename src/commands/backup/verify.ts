import { Args, Flags } from '@oclif/core'
import { BaseCommand, canAsk, EXIT, findingLine, openSettings, settingsFlag } from '../../cli/index.js'
import type { VerifyView } from '../../daemons/backup-verify.js'

export default class BackupVerify extends BaseCommand {
  static override summary = 'whether an archive can be restored; ends with 6 when it cannot'
  static override description =
    'Unpacks it into a private folder beside the archive, which goes away again: compares hashes, opens every database, lets SQLite check it, compares the number of rows, and opens the seed of a till with the wallet password, which comes from --password-file, from the settings of the till on this machine, or from a person; without it that one check is skipped, and said so.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> grinpay-pay-20260131T020000Z.tar',
    '<%= config.bin %> <%= command.id %> grinpay-pay-20260131T020000Z.tar.age --identity-file backup.key --password-file pw --json',
  ]
  static override enableJsonFlag = true
  static override args = { file: Args.string({ required: true, description: 'an archive of backup create' }) }
  static override flags = {
    'identity-file': Flags.string({
      description: 'the AGE-SECRET-KEY of its recipient, - for stdin',
      helpValue: 'FILE',
    }),
    'password-file': Flags.string({ description: 'file with the wallet password', helpValue: 'FILE' }),
    settings: settingsFlag('settings of the till, for its wallet password'),
  }

  async run(): Promise<VerifyView> {
    const { args, flags } = await this.parse(BackupVerify)
    const { verifyBackup } = await import('../../daemons/backup-verify.js')
    const done = await verifyBackup({
      file: args.file,
      identityFile: flags['identity-file'],
      password: async () => {
        const { settingsIfAny } = await openSettings()
        const { createTerminal, knownPassword } = await import('../../wizard/index.js')
        const terminal = canAsk(flags['no-input']) ? createTerminal() : undefined
        return knownPassword(flags['password-file'], settingsIfAny(flags.settings), terminal)
      },
    })
    if (flags.quiet) this.log(done.ok ? 'ok' : 'failed')
    else for (const { status: level, name, detail } of done.checks) this.log(findingLine({ level, name, detail }))
    if (!done.ok) process.exitCode = EXIT.negative
    return done
  }
}
