import { Flags } from '@oclif/core'
import { confirm, examplesOf, RelayCommand, yesFlag } from '../../cli/index.js'
import type { RemovedView } from '../../daemons/relay-admin.js'

export default class RelayPrune extends RelayCommand {
  static override summary = 'apply the [retention] rules now; gift wraps stay'
  static override description =
    'A running relay does this every ten minutes. Removes events that are too old, then the oldest above the limits. relay-audit.jsonl beside the database records the change.'
  static override examples = examplesOf('--dry-run', '--unauthorised --yes --json')
  static override flags = {
    unauthorised: Flags.boolean({
      description: 'also remove public notes (kinds 1 and 30023) of authors who may not write them',
      default: false,
    }),
    'dry-run': Flags.boolean({ description: 'only count; the share removed for size is an estimate', default: false }),
    ...yesFlag,
  }

  async run(): Promise<RemovedView> {
    const { flags } = await this.parse(RelayPrune)
    const isDryRun = flags['dry-run']
    const config = await this.relayConfig(flags)
    const { pruneEvents } = await import('../../daemons/relay-admin.js')
    const agree = (events: number) => confirm(`Deleting about ${events} events`, 'prune', flags)
    const done = await pruneEvents(config, { unauthorised: flags.unauthorised, isDryRun, agree })
    if (flags.quiet) this.log(String(isDryRun ? done.matching : done.removed))
    else this.log(isDryRun ? `would delete about ${done.matching} events` : `deleted ${done.removed} events`)
    return done
  }
}
