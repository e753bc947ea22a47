import { Args } from '@oclif/core'
import { examplesOf, RelayCommand } from '../../cli/index.js'
import type { EventBackupView } from '../../daemons/relay-admin.js'

export default class RelayBackup extends RelayCommand {
  static override summary = "copy the relay's database to a new file, while the relay runs or not"
  static override description =
    "The copy (mode 0600) is complete and consistent. To use it, stop the relay and replace relay.db with it, without the old relay.db-wal and relay.db-shm. The operator's lists are in relay-lists.json beside the database."
  static override examples = examplesOf('/var/backups/relay-2026-01-31.db', 'copy.db --db /var/lib/grinpay --json')
  static override args = { file: Args.string({ required: true, description: 'a new file' }) }

  async run(): Promise<EventBackupView> {
    const { args, flags } = await this.parse(RelayBackup)
    const config = await this.relayConfig(flags)
    const { backUpEvents } = await import('../../daemons/relay-admin.js')
    const done = await this.waiting('copying', () => backUpEvents(config, args.file))
    this.log(flags.quiet ? done.file : `${done.bytes} bytes written to ${done.file}`)
    return done
  }
}
