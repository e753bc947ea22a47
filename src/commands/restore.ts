import { Args, Flags } from '@oclif/core'
import { BaseCommand, daemonFlag, examplesOf } from '../cli/index.js'
import type { RestoreView } from '../daemons/restore.js'

export default class Restore extends BaseCommand {
  static override summary = 'restore a backup into a new folder'
  static override description =
    'Checks everything; the folder appears when complete (files 0600, folders 0700), or not at all. Refuses a non-empty folder, archives of a newer version, and those of another daemon than --daemon. Adapts paths in the settings. A restored till skips every key that may have been used since the backup, and closes the invoice slates that were open then.'
  static override examples = examplesOf(
    'grinpay-pay-20260131T020000Z.tar --to /srv/till',
    'grinpay-relay-20260131T020000Z.tar.age --to /srv/relay --identity-file backup.key --daemon relay --json',
  )
  static override enableJsonFlag = true
  static override args = { file: Args.string({ required: true, description: 'an archive of backup create' }) }
  static override flags = {
    to: Flags.string({ description: 'an empty or new folder', required: true, helpValue: 'DIR' }),
    'identity-file': Flags.string({
      description: 'the AGE-SECRET-KEY of its recipient, - for stdin',
      helpValue: 'FILE',
    }),
    daemon: daemonFlag({ description: 'refuse the backup of any other daemon' }),
  }

  async run(): Promise<RestoreView> {
    const { args, flags } = await this.parse(Restore)
    const { restoreBackup } = await import('../daemons/restore.js')
    const order = { file: args.file, to: flags.to, identityFile: flags['identity-file'], daemon: flags.daemon }
    const done = await this.waiting('checking and unpacking', () => restoreBackup(order))
    this.log(done.folder)
    this.say(`restored ${done.files.length} files of ${done.daemon} as of ${done.created_at}`)
    if (done.next_key_index !== null) this.say(`keys go on at index ${done.next_key_index}`)
    for (const left of done.left_out) this.say(`not in it: ${left}`)
    for (const step of done.next) this.say(`next: ${step}`)
    return done
  }
}
