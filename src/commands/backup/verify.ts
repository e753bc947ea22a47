import { Args, Flags } from '@oclif/core'
import { BaseCommand, canAsk, EXIT, examplesOf, findingLine, openSettings, settingsFlag } from '../../cli/index.js'
import type { VerifyView } from '../../daemons/backup-verify.js'

export default class BackupVerify extends BaseCommand {
  static override summary = 'verify that a backup can be restored (exit 6 if not)'
  static override description =
    "Unpacks the archive into a temporary private folder beside it, compares hashes and row counts, and runs SQLite's integrity check. Opens a till's seed with the wallet password from --password-file, from the settings, or typed; without a password it skips that check and says so."
  static override examples = examplesOf(
    'grinpay-pay-20260131T020000Z.tar',
    'grinpay-pay-20260131T020000Z.tar.age --identity-file backup.key --password-file pw --json',
  )
  static override enableJsonFlag = true
  static override args = { file: Args.string({ required: true, description: 'an archive of backup create' }) }
  static override flags = {
    'identity-file': Flags.string({
      description: 'file with the AGE-SECRET-KEY of the recipient, - for stdin',
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
        const { tillEnvironmentIfAny } = await openSettings()
        const { createTerminal, knownPassword } = await import('../../wizard/index.js')
        const terminal = canAsk(flags['no-input']) ? createTerminal() : undefined
        return knownPassword(flags['password-file'], tillEnvironmentIfAny(flags.settings), terminal)
      },
    })
    if (flags.quiet) this.log(done.ok ? 'ok' : 'failed')
    else for (const { status: level, name, detail } of done.checks) this.log(findingLine({ level, name, detail }))
    if (!done.ok) process.exitCode = EXIT.negative
    return done
  }
}
